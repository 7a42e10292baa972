"""Messages of filesystems behind a server: NFS, CIFS, Ceph, FUSE; and of overlays."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import BLOCK, CRASHES, DISKS, LINKS, MEMORY
from ingest.catalogue.log_classes.model import LogClass

# Traces of the NFS client end calls that succeed with "Error 0".
_TROUBLE = (
    r"(?:[Ee]rror(?:[^ ]| [^0]|$)|[Ff]ail|[Cc]orrupt|abort|timed out|[Ss]hut(?:ting)? ?down|refused"
    r"|not responding|lost)"
)

_LIBCEPH = r"^libceph(?: \([0-9a-f-]+ \w+\))?: (?:\([0-9a-f-]+ \w+\): ?)?"
"""With file system id and epoch since 6.6: `libceph (fb30d64e-… e857): osd2 down`."""

NFS = (
    LogClass(
        name="nfs_not_responding",
        subsystem="nfs",
        severity="error",
        pattern=r"^(?:nfs|lockd|NFS): server (?P<server>\S+?),? (?P<state>not responding)",
        meaning="NFS server not responding; processes that access it sleep",
        source="net/sunrpc/clnt.c call_timeout, rpc_check_timeout",
        sample="nfs: server nas1 not responding, still trying",
        follows=LINKS,
    ),
    LogClass(
        name="nfs_ok",
        subsystem="nfs",
        severity="notice",
        pattern=r"^(?:nfs|lockd|NFS): server (?P<server>\S+?),? (?P<state>OK)",
        meaning="NFS server OK again",
        source="net/sunrpc/clnt.c call_decode",
        sample="nfs: server nas1 OK",
        ends=("nfs_not_responding",),
    ),
    LogClass(
        name="nfsd_connections",
        subsystem="nfs",
        severity="warning",
        pattern=r"^(?:\S+: )?nfsd: too many open (?:TCP sockets|connections)",
        meaning="NFS server: more connections than its threads allow",
        source="net/sunrpc/svc_xprt.c svc_check_conn_limits",
        sample="nfsd: too many open connections, consider increasing the number of threads",
    ),
    LogClass(
        name="nfs_error",
        subsystem="nfs",
        severity="error",
        pattern=rf"^(?:NFS|nfs4?|lockd|RPC|SUNRPC|NFSD|nfsd|NFS4?):? ?.*{_TROUBLE}",
        meaning="NFS or RPC error",
        source="fs/nfs/nfs4state.c nfs4_state_manager, net/sunrpc, fs/nfsd",
        sample="NFS: state manager: lease expired failed on NFSv4 server nas1 with error 5",
        follows=LINKS,
        needs_prefix=True,
    ),
)

CIFS = (
    LogClass(
        name="cifs_not_responding",
        subsystem="cifs",
        severity="error",
        pattern=r"^CIFS:? VFS: (?:\\\\(?P<server>[^\s\\]+)(?:\\\S*)? |"
        r"Server (?P<server_2>\S+) )?has not responded in (?P<seconds>\d+) seconds",
        meaning="SMB server not responding",
        source="fs/smb/client/connect.c server_unresponsive",
        sample=r"CIFS: VFS: \\nas1 has not responded in 180 seconds. Reconnecting...",
        follows=LINKS,
    ),
    LogClass(
        name="cifs_error",
        subsystem="cifs",
        severity="error",
        pattern=r"^CIFS(?::|\b).*(?:VFS: .*(?:[Ee]rror|[Ff]ail|rc ?= ?-?\d+|cancelled|No task to wake|bad |"
        r"not )|[Aa]ttempting to connect .* fail)",
        meaning="SMB error",
        source="fs/smb/client/cifsfs.c cifs_smb3_do_mount, connect.c, smb2pdu.c, transport.c",
        sample="CIFS: VFS: cifs_mount failed w/return code = -13",
        follows=("cifs_not_responding", *LINKS),
    ),
)

CEPH = (
    LogClass(
        name="ceph_mds_hung",
        subsystem="ceph",
        severity="error",
        pattern=r"^ceph: (?:\[[0-9a-f-]+ \d+\]: ?)?mds(?P<rank>\d+) (?:hung|caps (?:stale|"
        r"went stale))",
        meaning="Ceph: MDS hung, or what it allowed the client ran out",
        source="fs/ceph/mds_client.c check_session_state, handle_session",
        sample="ceph: mds0 hung",
        follows=("ceph_session_lost", *LINKS),
    ),
    LogClass(
        name="ceph_osd_down",
        subsystem="ceph",
        severity="warning",
        pattern=_LIBCEPH + r"osd(?P<osd>\d+) (?:down|weight 0x0 \(out\))",
        meaning="Ceph: OSD down",
        source="net/ceph/osdmap.c decode_new_up_state_weight",
        sample="libceph: osd12 down",
    ),
    LogClass(
        name="ceph_session_lost",
        subsystem="ceph",
        severity="error",
        pattern=_LIBCEPH + r"(?:mon|osd|mds)\d+ .*(?:session lost|socket (?:closed|"
        r"error)|connect (?:error|timeout)|wrong peer|bad (?:crc|authorize|magic)|auth.* failed|"
        r"protocol version)",
        meaning="Ceph: connection to a daemon lost",
        source="net/ceph/mon_client.c reopen_session, messenger.c con_fault",
        sample="libceph: mon0 (1)10.0.0.1:6789 session lost, hunting for new mon",
        follows=("ceph_osd_down", *LINKS),
    ),
    LogClass(
        name="ceph_full",
        subsystem="ceph",
        severity="error",
        pattern=_LIBCEPH + r".*(?:FULL or reached pool quota|pool \d+ is full|cluster is full)",
        meaning="Ceph: pool or cluster full; writes wait",
        source="net/ceph/osd_client.c __submit_request",
        sample="libceph: pool 4 is full or reached quota",
    ),
    LogClass(
        name="rbd_error",
        subsystem="ceph",
        severity="error",
        pattern=r"^rbd: (?P<device>rbd\d+): .*(?:result -\d+|[Ff]ail|error|lost|encountered watch)",
        meaning="RBD error",
        source="drivers/block/rbd.c rbd_obj_handle_request, rbd_watch_errcb",
        sample="rbd: rbd0: encountered watch error: -107",
        follows=("ceph_session_lost", "ceph_osd_down", *LINKS),
    ),
    LogClass(
        name="dlm_connection_lost",
        subsystem="vfs",
        severity="error",
        pattern=r"(?:^dlm: .*(?:socket error|connect|node \d+ .*(?:fail|error|timed out)|connection .*lost)|"
        r"socket error sending to node)",
        meaning="DLM: connection to a node lost; its filesystems wait",
        source="fs/dlm/lowcomms.c lowcomms_error_report",
        sample="dlm: node 3: socket error sending to node 1, dport 21064, sk_err=104/104",
        follows=LINKS,
    ),
)

FUSE = (
    LogClass(
        name="fuse_error",
        subsystem="fuse",
        severity="error",
        pattern=r"^(?:fuse: (?:.*(?:error|fail|trying to steal weird page|bad|invalid))|"
        r"virtio-?fs.*: (?:.*not found|.*fail|.*error))",
        meaning="FUSE or virtiofs error",
        source="fs/fuse/dev.c fuse_check_folio, virtio_fs.c",
        sample="fuse: trying to steal weird page",
        follows=(*MEMORY, *CRASHES),
    ),
)

OVERLAY = (
    LogClass(
        name="overlay_in_use",
        subsystem="overlay",
        severity="warning",
        pattern=r"^overlayfs: (?P<what>\w+) is in-use as upperdir/workdir of another mount",
        meaning="overlayfs: a directory is in use by another mount; what they show is undefined",
        source="fs/overlayfs/super.c ovl_report_in_use",
        sample="overlayfs: upperdir is in-use as upperdir/workdir of another mount, accessing files from "
        "both mounts will result in undefined behavior.",
    ),
    LogClass(
        name="overlay_unsupported",
        subsystem="overlay",
        severity="notice",
        pattern=r"^overlayfs: .*(?:does not support|fs (?:does not|doesn't) |falling back to|missing ['\"]|"
        r"null uuid detected|uuid detected in lower fs)",
        meaning="overlayfs: the filesystem below lacks a feature, which is not used",
        source="fs/overlayfs/super.c ovl_make_workdir",
        sample="overlayfs: upper fs does not support RENAME_WHITEOUT.",
    ),
    LogClass(
        name="overlay_error",
        subsystem="overlay",
        severity="error",
        pattern=r"^overlayfs: .*(?:[Ff]ailed|[Ee]rror|invalid|unrecognized|conflicting|too many|"
        r"upper.*readonly|corrupted)",
        meaning="overlayfs error",
        source="fs/overlayfs/super.c, namei.c, params.c",
        sample="overlayfs: failed to resolve '/var/lib/docker/overlay2/l/ABC': -2",
        follows=(*DISKS, *BLOCK, "filesystem_readonly"),
    ),
)

CLASSES = (*NFS, *CIFS, *CEPH, *FUSE, *OVERLAY)

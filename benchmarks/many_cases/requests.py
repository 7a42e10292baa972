"""The requests that pages make and that could cost more with more cases, for one case of many."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from backend.accounts import service as accounts
from backend.models import Account, Case, Evidence, Profile, Role, Visibility

if TYPE_CHECKING:
    import httpx
    from sqlalchemy.orm import Session

OF_CASE = (
    "",
    "/findings",
    "/findings?all=true",
    "/similar",
    "/evidence",
    "/uploads",
    "/jobs",
    "/timeline",
    "/notes",
    "/hosts",
    "/labels",
    "/captures",
    "/facts",
    "/histograms",
    "/profiles",
    "/series",
    "/phases",
    "/stories",
    "/handoffs",
    "/access",
    "/tokens",
    "/origins",
    "/hosts/outlier",
)
LISTS = (
    "/cases",
    "/cases?sort=-updated_at",
    "/cases?sort=title",
    "/cases?state=open",
    "/cases?q=checkout+ams",
    "/cases?q=nothingthatmatches",
    "/cases?q=%23500",
    "/frames/cases?name=do_syscall_64",
    "/frames/cases?name=shrink_lruvec",
    "/frames/cases?name=no_such_function",
    "/signatures?limit=50",
    "/stories/drafts",
    "/status",
    "/limits",
    "/me",
    "/me/profile",
    "/tokens",
    "/sessions",
    "/teams",
    "/uploads",
)
DEPENDING = ("/cases", "/frames/")
OF_ADMINS = ("/audit", "/members", "/invitations", "/service-tokens")

SEARCHES = (
    "direct reclaim stalls",
    "try_charge_memcg",
    "main;do_syscall_64;try_charge_memcg 50\nmain;idle 50\n",
)


class Request(NamedTuple):
    """One request: what it is called in tables, and what is sent."""

    name: str
    method: str
    path: str
    body: dict[str, str] | None = None


def signed_in(session: Session, role: Role) -> str:
    """Return the secret of a browser session of somebody with `role`."""
    found = select(Account).where(Account.role == role, ~Account.is_service, ~Account.is_guest)
    account = session.scalars(found.order_by(Account.is_owner.desc(), Account.name).limit(1)).one()
    return accounts.open_session(session, account.id, lifetime=timedelta(hours=1))


def requests_of(session: Session, *, is_admin: bool) -> list[Request]:
    """Return the requests of an admin's pages, or those of others that depend on who sees which cases.

    The case is one that everybody sees, with a profile.
    """
    seen = (Case.visibility == Visibility.TEAM, Case.team_id.is_(None), Case.deleted_at.is_(None))
    held = select(Profile.case_id).where(Profile.has_weights)
    recent = select(Case).where(*seen, Case.id.in_(held)).order_by(Case.id.desc()).limit(100)
    case = session.scalars(recent).all()[-1]
    profile = session.scalars(select(Profile.id).where(Profile.case_id == case.id).limit(1)).one()
    evidence = session.scalars(select(Evidence.id).where(Evidence.case_id == case.id).limit(1)).one()
    if not is_admin:
        paths = [path for path in LISTS if path.startswith(DEPENDING)]
        paths += [f"/cases/{case.number}{part}" for part in ("", "/similar")]
        return [Request(f"GET {path.replace(str(case.number), '…')}", "GET", path) for path in paths]
    requests = [Request(f"GET {path}", "GET", path) for path in (*LISTS, *OF_ADMINS)]
    requests += [Request(f"GET /cases/…{path}", "GET", f"/cases/{case.number}{path}") for path in OF_CASE]
    requests += [Request("GET /profiles/…", "GET", f"/profiles/{profile}")]
    for text in SEARCHES:
        requests.append(Request(f"search {text.split()[0]}", "POST", "/library/search", {"text": text}))
    requests += [Request("GET /evidence/…", "GET", f"/evidence/{evidence}")]
    return requests


def page_100(client: httpx.Client, path: str = "/cases") -> str:
    """Return the path of the hundredth page of a list, or of its last."""
    path = f"{path}?limit=50"
    for _ in range(99):
        link = client.get(path).raise_for_status().links.get("next")
        if link is None:
            break
        path = link["url"].removeprefix("/api/v1")
    return path

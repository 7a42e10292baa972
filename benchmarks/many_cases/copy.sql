-- One statement a table, each a SELECT over the seeds, for cases 1 to :count.

insert into bench_case
select n, bench_seed.id, bench_id(n, 1, 0),
    service.word || ' in ' || place.word || ' ' || symptom.word || ', ticket ' || 10000 + n,
    place.word || '-' || service.word || '-' || lpad((floor(bench_chance(n, :seed + 5) * 400))::int::text, 3, '0'),
    '6.' || (floor(power(bench_chance(n, :seed + 6), 2) * 20))::int || '.' || (floor(bench_chance(n, :seed + 7) * 9))::int,
    0.5 + bench_chance(n, :seed + 8),
    account.id,
    case when bench_chance(n, :seed + 9) < 0.4 then team.id end,
    case when bench_chance(n, :seed + 10) < 0.85 then 'team'
        when bench_chance(n, :seed + 10) < 0.97 then 'restricted' else 'link' end,
    timestamptz '2024-01-01' + n * interval '5 minutes',
    case when bench_chance(n, :seed + 11) < 0.9 then 'closed' else 'open' end,
    case when bench_chance(n, :seed + 12) < 0.01 then timestamptz '2026-01-01' end
from generate_series(1::bigint, cast(:count as bigint)) as n
join bench_seed on bench_chance(n, :seed) >= low and bench_chance(n, :seed) < high
join bench_word service on service.kind = 'service' and service.place = floor(power(bench_chance(n, :seed + 1), 2) * 10)
join bench_word symptom on symptom.kind = 'symptom' and symptom.place = floor(bench_chance(n, :seed + 2) * 10)
join bench_word place on place.kind = 'place' and place.place = floor(bench_chance(n, :seed + 3) * 8)
join (select id, row_number() over (order by name) - 1 as place from account where name like 'bench %') account
    on account.place = floor(power(bench_chance(n, :seed + 4), 2) * :accounts)
join (select id, row_number() over (order by name) - 1 as place from team where name like 'bench %') team
    on team.place = floor(power(bench_chance(n, :seed + 13), 2) * :teams)
order by n
;

insert into "case" (id, title, status, severity, updated_at, created_at, evidence_rev, judged_rev, next_captures,
    visibility, owner_id, team_id, closed_at, cause, deleted_at)
select made.id, made.title, case made.state when 'closed' then 'resolved' else 'investigating' end, kept.severity, made.at + interval '1 hour', made.at, kept.evidence_rev,
    kept.evidence_rev, kept.next_captures, made.visibility, made.owner, made.team,
    case when made.state = 'closed' then made.at + interval '1 day' end,
    case when made.state = 'closed' then 'the ' || split_part(made.title, ' ', 1) || ' release' else '' end,
    made.deleted_at
from bench_case made join "case" kept on kept.id = made.seed order by made.n
;

insert into host (id, case_id, name, machine_id, boot_id, created_at)
select bench_id(made.n, 2, row.place), made.id, made.host || '-' || row.place, '', '', made.at
from bench_case made join host kept on kept.case_id = made.seed join bench_row row on row.kind = 'host' and row.id = kept.id
;

insert into evidence (id, case_id, parent_id, host_id, captured_path, filename, phase, sha256, size_bytes, state, reason,
    line_count, skipped, captured_from, captured_to, deleted_at, created_at)
select bench_id(made.n, 3, row.place), made.id, null, bench_id(made.n, 2, host.place), kept.captured_path, kept.filename,
    kept.phase, kept.sha256, kept.size_bytes, kept.state, '', kept.line_count, kept.skipped, kept.captured_from,
    kept.captured_to, case when bench_chance(made.n * 64 + row.place, :seed + 14) < 0.02 then made.at end, made.at
from bench_case made join evidence kept on kept.case_id = made.seed
join bench_row row on row.kind = 'evidence' and row.id = kept.id
left join bench_row host on host.kind = 'host' and host.id = kept.host_id
;

insert into section (id, evidence_id, ordinal, format, first_line, last_line, path, command)
select bench_id(made.n, 4, row.place), bench_id(made.n, 3, parent.place), kept.ordinal, kept.format, kept.first_line,
    kept.last_line, kept.path, kept.command
from bench_case made join evidence on evidence.case_id = made.seed join section kept on kept.evidence_id = evidence.id
join bench_row row on row.kind = 'section' and row.id = kept.id
join bench_row parent on parent.kind = 'evidence' and parent.id = evidence.id
;

insert into reading (id, section_id, case_id, format_version, stage, digest, store_key, quality, skipped, is_current, created_at)
select bench_id(made.n, 5, row.place), bench_id(made.n, 4, parent.place), made.id, kept.format_version, kept.stage,
    kept.digest, kept.store_key, kept.quality, kept.skipped, true, made.at
from bench_case made join reading kept on kept.case_id = made.seed
join bench_row row on row.kind = 'reading' and row.id = kept.id
join bench_row parent on parent.kind = 'section' and parent.id = kept.section_id
;

insert into profile (id, reading_id, case_id, ordinal, event, unit, what, samples, weight, nodes, is_ordered,
    has_weights, has_time, has_cpu, from_s, to_s, has_frames)
select bench_id(made.n, 6, row.place), bench_id(made.n, 5, parent.place), made.id, kept.ordinal, kept.event, kept.unit,
    kept.what, kept.samples * made.factor, kept.weight * made.factor, kept.nodes, kept.is_ordered, kept.has_weights,
    kept.has_time, kept.has_cpu, kept.from_s, kept.to_s, true
from bench_case made join profile kept on kept.case_id = made.seed
join bench_row row on row.kind = 'profile' and row.id = kept.id
join bench_row parent on parent.kind = 'reading' and parent.id = kept.reading_id
;

insert into profile_frame (frame_id, profile_id, total_share, self_share)
select kept.frame_id, bench_id(made.n, 6, row.place),
    least(1, kept.total_share * (0.6 + 0.6 * bench_chance(made.n # kept.frame_id, :seed + 15))),
    least(1, kept.self_share * (0.4 + 0.8 * bench_chance(made.n # kept.frame_id, :seed + 16)))
from bench_case made join profile on profile.case_id = made.seed join profile_frame kept on kept.profile_id = profile.id
join bench_row row on row.kind = 'profile' and row.id = profile.id
where bench_chance(made.n # kept.frame_id, :seed + 17) < 0.8
    and bench_chance(kept.frame_id, :seed + 30) < :frames
;

insert into profile_frame (frame_id, profile_id, total_share, self_share)
select distinct on (frame.id, made.n) frame.id, bench_id(made.n, 6, 1), share, share * bench_chance(made.n * 100 + own.at, :seed + 18)
from bench_case made cross join generate_series(1, :own) as own(at)
cross join lateral (select 0.4 * power(bench_chance(made.n * 100 + own.at, :seed + 19), 2) as share) as weighed
join bench_word word on word.kind = 'frame'
    and word.place = floor(power(bench_chance(made.n * 100 + own.at, :seed + 20), 3) * :names)::int
join frame on frame.id = word.word::bigint
where exists (select from bench_row row join profile on profile.id = row.id
    where row.kind = 'profile' and row.place = 1 and profile.case_id = made.seed)
;

insert into fact (case_id, reading_id, ordinal, name, labels, number, text, truth, unit, snapshot, at_s, first_line, last_line)
select made.id, bench_id(made.n, 5, row.place), kept.ordinal, kept.name, kept.labels, kept.number * made.factor,
    case when kept.name = 'kernel.release' then made.release else kept.text end, kept.truth, kept.unit, kept.snapshot,
    kept.at_s, kept.first_line, kept.last_line
from bench_case made join fact kept on kept.case_id = made.seed
join bench_row row on row.kind = 'reading' and row.id = kept.reading_id
where kept.ordinal < :facts
;

insert into log_record (case_id, reading_id, ordinal, kind, message, fields, uptime_s, at_s, first_line, last_line)
select made.id, bench_id(made.n, 5, row.place), kept.ordinal, kept.kind, kept.message, kept.fields, kept.uptime_s, kept.at_s,
    kept.first_line, kept.last_line
from bench_case made join log_record kept on kept.case_id = made.seed
join bench_row row on row.kind = 'reading' and row.id = kept.reading_id
where kept.ordinal < :records
;

insert into histogram (id, reading_id, case_id, ordinal, name, key, unit, probe, lows, highs, counts, bucket_lines)
select bench_id(made.n, 7, row.place), bench_id(made.n, 5, parent.place), made.id, kept.ordinal, kept.name, kept.key,
    kept.unit, kept.probe, kept.lows, kept.highs, kept.counts, kept.bucket_lines
from bench_case made join histogram kept on kept.case_id = made.seed
join bench_row row on row.kind = 'histogram' and row.id = kept.id
join bench_row parent on parent.kind = 'reading' and parent.id = kept.reading_id
;

insert into finding (id, case_id, host, phase, signature, title, verdict, score, case_rev)
select bench_id(made.n, 8, kept.place), made.id, case kept.host when '' then '' else made.host || '-1' end, kept.phase,
    kept.signature, kept.title, kept.verdict,
    kept.score * (0.7 + 0.3 * bench_chance(made.n, :seed + 21)), kept.case_rev
from bench_case made join (select *, row_number() over (partition by case_id order by
        array_position(array['match', 'suspect', 'no_match'], verdict), id) as place from finding
    where case_id in (select id from bench_seed)) kept on kept.case_id = made.seed
where kept.place <= :findings
;

insert into case_findings (case_id, evidence_rev, dictionary, document)
select made.id, kept.evidence_rev, kept.dictionary, kept.document
from bench_case made join case_findings kept on kept.case_id = made.seed
;

insert into event (case_id, at, kind, actor, is_system, payload)
select made.id, made.at + place * interval '1 minute', detail.kind, case when detail.is_system then 'service' else 'bench' end,
    detail.is_system, detail.payload::jsonb
from bench_case made cross join (values (1, 'case.created', false, '{"title": "made"}'), (2, 'evidence.received', false, '{"name": "capture.txt"}'),
    (3, 'evidence.read', true, '{"name": "capture.txt"}'), (4, 'findings.judged', true, '{"judged_rev": 1, "evidence_rev": 1, "findings": []}'),
    (5, 'case.changed', false, '{"state": "closed"}')) as detail(place, kind, is_system, payload) order by made.n, place
;

insert into job (id, kind, key, subject_id, queue, payload, state, attempt, worker, last_error, created_at, run_after,
    started_at, finished_at)
select bench_id(made.n, 9, detail.place), detail.kind, detail.kind || ':' || made.n, detail.subject, 'light', '{}',
    case when bench_chance(made.n, :seed + 22) < 0.001 then 'failed' else 'done' end, 1, 'bench:1', '', made.at, made.at,
    made.at, made.at + interval '1 second'
from bench_case made cross join lateral (values (1, 'evidence.read', bench_id(made.n, 3, 1)),
    (2, 'evidence.read', bench_id(made.n, 3, 2)), (3, 'findings.judge', made.id), (4, 'profiles.index', made.id))
    as detail(place, kind, subject)
;

insert into label (id, case_id, signature, host, phase, account_id, author, opinion, misled_clause, remark, version, verdict,
    created_at, updated_at)
select bench_id(made.n, 10, 1), made.id, finding.signature, finding.host, finding.phase, made.owner, 'bench', 'right', '', '',
    1, finding.verdict, made.at, made.at
from bench_case made join finding on finding.id = bench_id(made.n, 8, 1)
where bench_chance(made.n, :seed + 23) < 0.1
;

insert into note (id, case_id, author, editor, text, revision, created_at, updated_at)
select bench_id(made.n, 11, place), made.id, 'bench', 'bench', 'Looked at ' || made.host || ', ' || made.title, 1, made.at, made.at
from bench_case made cross join generate_series(1, 3) as place
where bench_chance(made.n * 4 + place, :seed + 24) < 0.3
;

insert into upload (id, case_id, evidence_id, actor, filename, captured_path, size_bytes, offset_bytes, writer_epoch, state,
    created_at, updated_at)
select bench_id(made.n, 12, 1), made.id, bench_id(made.n, 3, 1), 'bench', 'capture.txt', '', 20000, 20000, 1, 'kept', made.at, made.at
from bench_case made where bench_chance(made.n, :seed + 25) < 0.3
;

insert into case_person (id, case_id, account_id, created_at)
select bench_id(made.n, 13, 1), made.id, account.id, made.at
from bench_case made join (select id, row_number() over (order by name) - 1 as place from account where name like 'bench %') account
    on account.place = floor(bench_chance(made.n, :seed + 26) * :accounts)
where bench_chance(made.n, :seed + 27) < 0.1
;

insert into handoff (id, case_id, state, recipient, question, author, choice, with_notes, reason, report, shared, replacements, created_at, updated_at)
select bench_id(made.n, 14, 1), made.id, 'closed', 'vendor', '', 'bench', '[]', true, '', '{}', '{}', '[]', made.at, made.at
from bench_case made where bench_chance(made.n, :seed + 28) < 0.02
;

insert into capture_run (id, case_id, capture, title, command, settles, author, ran_at, created_at)
select bench_id(made.n, 15, 1), made.id, 'perf', 'CPU profile', 'perf record -ag', '[]', 'bench', made.at, made.at
from bench_case made where bench_chance(made.n, :seed + 29) < 0.1
;

insert into audit_entry (number, at, actor_id, actor, via, action, case_id, subject, is_refused, address, previous, hash)
select 1000000 + made.n * 2 + place, made.at, made.owner, 'bench', 'session', 'case.write', made.id, 'POST /api/v1/cases', false,
    '127.0.0.1', repeat('0', 64), md5((made.n * 2 + place)::text) || md5((made.n * 2 + place)::text)
from bench_case made cross join generate_series(0, 1) as place

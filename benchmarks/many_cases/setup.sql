-- Where each new case comes from and what it is called; deterministic chances and ids.

create or replace function bench_chance(n bigint, salt int) returns float language sql immutable as
    $$ select ((hashint8extended(n, salt) >> 11) & ((1::bigint << 52) - 1)) / (1::bigint << 52)::float $$;
create or replace function bench_id(n bigint, kind int, place bigint) returns uuid language sql immutable as
    $$ select (lpad(to_hex(1704067200000 + n * 60000), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8000'
        || lpad(to_hex(place), 12, '0'))::uuid $$;
create unlogged table bench_seed (id uuid, low float, high float);
create unlogged table bench_row (kind text, id uuid, place bigint);
create unlogged table bench_word (kind text, place int, word text);
create unlogged table bench_case (n bigint, seed uuid, id uuid, title text, host text, release text, factor float,
    owner uuid, team uuid, visibility text, at timestamptz, state text, deleted_at timestamptz);

-- The place of every row within its seed.

insert into bench_row select 'host', id, row_number() over (partition by case_id order by id) from host;
insert into bench_row select 'evidence', id, row_number() over (partition by case_id order by id) from evidence;
insert into bench_row select 'section', section.id, row_number() over (partition by case_id order by section.id)
    from section join evidence on evidence.id = evidence_id;
insert into bench_row select 'reading', id, row_number() over (partition by case_id order by id) from reading;
insert into bench_row select 'profile', id, row_number() over (partition by case_id order by id) from profile;
insert into bench_row select 'histogram', id, row_number() over (partition by case_id order by id) from histogram;
insert into bench_row select 'row_set', id, row_number() over (partition by case_id order by id) from row_set;
create unique index on bench_row (kind, id);
create index on bench_case (n);
create index on bench_word (kind, place);

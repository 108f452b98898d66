-- Chooses the funded submissions that have a slot of their key, or need none. Whoever sets `waitsForSlot` is admitted only while its key has a slot
-- free in the family. Whoever sets `queuesForSlot` is always admitted: without a free slot, or while others await one, its task awaits one in
-- its row; `awaiting` has the ordinals of these. The key's lock keeps all others out meanwhile.
CREATE OR REPLACE FUNCTION admit_bookings(funded booking[], OUT admitted booking[], OUT awaiting bigint[]) LANGUAGE plpgsql AS $$
BEGIN
IF NOT EXISTS (SELECT FROM unnest(funded) f WHERE f.slots IS NOT NULL) THEN
  admitted := funded;
  RETURN;
END IF;
with line as materialized (
  select l.key_id, l.family, key_slots_used(l.key_id, l.family, 'admitted') as used, exists (
    -- By the key, whatever the plan was made for: without "offset" all that await a slot of any key may be collected to look among them.
    select from tasks t where t.key_id = l.key_id and t.family = l.family and t.status = 'submitted' and t.awaits_key_slot offset 0
  ) as is_awaited
  from (select distinct f.key_id, f.fields->>'family' as family from unnest(funded) f where f.slots is not null) l
),
placed as (
  select f as booking, f.fields ? 'queuesForSlot' as queues, f.slots is not null and ((f.fields ? 'queuesForSlot' and l.is_awaited)
    or l.used + row_number() over (partition by f.key_id, f.fields->>'family', f.slots is null order by f.ordinal) > f.slots) as awaits
  from unnest(funded) f left join line l on l.key_id = f.key_id and l.family = f.fields->>'family'
)
select coalesce(array_agg(p.booking order by (p.booking).ordinal), '{}'), array_agg((p.booking).ordinal) filter (where p.awaits)
into admitted, awaiting from placed p where p.queues or not p.awaits;
END $$;

-- PostgreSQL begins to vacuum a table once a fifth of its rows are dead, which of a hundred million tasks are twenty million, in one pass of
-- hours. A fiftieth is a pass of minutes. These settings lock out neither reads nor writes.

-- Every row of these changes some times and is deleted in the end.
ALTER TABLE "tasks" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "task_attempts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "task_labels" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "webhook_deliveries" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "webhook_attempts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "idempotency_keys" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "media_objects" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- Each of these changes once, and stays.
ALTER TABLE "reservations" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Rows are only added: what was added is frozen a little at a time, in place of all of it at once when the server must.
ALTER TABLE "ledger_entries" SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "audit_log" SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Waiting rows come and go: an index full of dead ones is what makes a queue slow.
ALTER TABLE "slot_waiters" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

-- An attempt's end is written over the row of its beginning, and a claim changes no column of an index: with room on its page neither touches an index.
ALTER TABLE "webhook_attempts" SET (fillfactor = 85);
ALTER TABLE "webhook_deliveries" SET (fillfactor = 85);

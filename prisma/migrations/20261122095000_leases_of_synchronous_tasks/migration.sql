-- What an API process runs by itself is leased to it for seconds, and renewed by it, so that the reconciler finds what a dead
-- process left.
ALTER TABLE "tasks" ADD COLUMN "run_by_submitter" BOOLEAN NOT NULL DEFAULT false;

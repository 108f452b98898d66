-- AlterTable
ALTER TABLE "audit_runs" ADD COLUMN     "claim" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "requested_by" TEXT;

-- One request waits at a time from the next migration on; the last of those that piled up stays.
DELETE FROM "audit_runs" r
  WHERE r.started_at IS NULL AND r.ended_at IS NULL
    AND EXISTS (SELECT FROM "audit_runs" o WHERE o.started_at IS NULL AND o.ended_at IS NULL AND o.id > r.id);

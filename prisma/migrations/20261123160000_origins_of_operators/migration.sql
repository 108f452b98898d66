-- Who set a remembered channel's origin. Of rows that do not say, an operator: what the file names is free of it.
ALTER TABLE "channel_definitions" ADD COLUMN     "origin_by_operator" BOOLEAN NOT NULL DEFAULT true;

ALTER TABLE "channel_destinations" ADD COLUMN     "origin_by_operator" BOOLEAN NOT NULL DEFAULT true;

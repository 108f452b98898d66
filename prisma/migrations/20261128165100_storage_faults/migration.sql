-- CreateTable
CREATE TABLE "storage_faults" (
    "process_id" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "storage_faults_pkey" PRIMARY KEY ("process_id","place")
);

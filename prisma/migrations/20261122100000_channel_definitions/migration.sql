-- CreateTable
CREATE TABLE "channel_definitions" (
    "id" TEXT NOT NULL,
    "source" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channel_definitions_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "open_breakers" ADD COLUMN     "fault" TEXT;

-- AlterTable
ALTER TABLE "open_model_breakers" ADD COLUMN     "fault" TEXT;

-- CreateTable
CREATE TABLE "channel_names" (
    "channel_id" TEXT NOT NULL,
    "names" TEXT[],
    "looked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "unlisted" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "unlisted_since" TIMESTAMPTZ(3),

    CONSTRAINT "channel_names_pkey" PRIMARY KEY ("channel_id")
);

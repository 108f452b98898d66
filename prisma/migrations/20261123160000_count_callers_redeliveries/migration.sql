-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "caller_redelivered_on" DATE,
ADD COLUMN     "caller_redeliveries" INTEGER NOT NULL DEFAULT 0;

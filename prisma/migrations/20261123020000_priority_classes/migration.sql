-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "priority_class" TEXT NOT NULL DEFAULT 'normal',
  ADD CONSTRAINT "accounts_priority_class_known" CHECK (priority_class IN ('low', 'normal', 'high')) NOT VALID;

-- CreateTable
CREATE TABLE "leases" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "leases_pkey" PRIMARY KEY ("name")
);

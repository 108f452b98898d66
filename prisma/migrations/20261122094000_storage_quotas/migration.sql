-- AlterTable
ALTER TABLE "media_objects" ADD COLUMN     "key_id" TEXT;

-- Which files for vendors their accounts' counts have: those alone are given back.
ALTER TABLE "media_objects" ADD COLUMN "is_counted" BOOLEAN NOT NULL DEFAULT false;

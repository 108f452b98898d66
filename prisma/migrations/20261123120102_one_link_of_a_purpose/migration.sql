-- The newest link of a purpose counts alone.
DELETE FROM "user_links" l USING "user_links" n
WHERE n."user_id" = l."user_id" AND n."purpose" = l."purpose"
  AND (n."expires_at", n."token_hash") > (l."expires_at", l."token_hash");

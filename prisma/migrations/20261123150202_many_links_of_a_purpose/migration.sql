-- The release before adds a link before it deletes the former one.
DROP INDEX "user_links_user_id_purpose_key";

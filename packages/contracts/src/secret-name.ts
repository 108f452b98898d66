/** How operators name a secret that the database keeps; a regular expression without its ends. */
export const SECRET_NAME = '[a-z0-9][a-z0-9._-]{0,63}';

/** Environment of every service. How many connections one opens at most is its own setting. */
export const databaseSettings = {
  DATABASE_URL: { type: 'url', secret: true, about: 'PostgreSQL' },
  DATABASE_CONNECTIONS: {
    type: 'integer',
    default: null,
    min: 1,
    about: 'connections that all processes together may open; compared with what the database accepts',
  },
  DATABASE_MAX_CONNECTIONS: {
    type: 'integer',
    default: null,
    min: 1,
    about: 'connections that a pooler at DATABASE_URL accepts; absent: PostgreSQL is asked',
  },
} as const;

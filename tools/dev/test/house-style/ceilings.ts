/** The most that each count of `npm run bounds` may be. A change that makes a count smaller lowers its ceiling; one that needs more raises it to the exact count. */
export const CEILINGS: Readonly<Record<string, number>> = {
  'source lines': 158_141,
  'test lines': 99_689,
  packages: 23,
  migrations: 4,
  'Jest files at the root': 1,
  'records of decisions': 32,
  'lines of a function, p90': 16,
  'lines of the longest function': 60,
  'functions of over 40 lines': 70,
  'comments without a subject': 12,
};

import { readTimeZone } from '@mediagate/billing';
import { DAY_MS, readTime } from './query-time';

it.each([
  ['2026-11-01', undefined, '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'],
  ['2026-11-01', 'Asia/Shanghai', '2026-10-31T16:00:00Z', '2026-11-01T16:00:00Z'],
  ['2026-11-01', 'asia/kathmandu', '2026-10-31T18:15:00Z', '2026-11-01T18:15:00Z'],
  // Their clocks change on that day, which has 25 hours or 23.
  ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  // Midnight is left out.
  ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00Z', '2026-03-29T21:00:00Z'],
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z'],
  ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
  ['2026-03-29', 'Atlantic/Azores', '2026-03-29T01:00:00Z', '2026-03-30T00:00:00Z'],
  // Midnight comes twice.
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
])('%s of %s begins and ends at the zone’s own midnights', (day, zone, begins, ends) => {
  expect(readTime(day, 0, zone)).toEqual(new Date(begins));
  expect(readTime(day, DAY_MS, zone)).toEqual(new Date(ends));
});

it.each(['utc', 'Etc/UTC', 'Etc/UCT'])('%s is UTC, whose days are summed up', (name) => {
  expect(readTimeZone(name)).toBe('UTC');
});

it.each([
  ['asia/shanghai', 'Asia/Shanghai'],
  ['AMERICA/NEW_YORK', 'America/New_York'],
  ['america/port_of_spain', expect.stringMatching(/^America\/Port_[Oo]f_Spain$/)],
  ['etc/gmt+5', expect.stringMatching(/^Etc\/G(?:MT|mt)\+5$/)],
])('%s is repeated as it is written usually', (text, zone) => {
  expect(readTimeZone(text)).toEqual(zone);
});

// The short ones mean one zone here and another one in PostgreSQL: IST is India's, and there Israel's.
const SHORT = ['IST', 'CST', 'BST', 'CET', 'EST', 'GMT', 'SystemV/PST8'];
it.each(['Shanghai', '+08:00', 'UTC+8', '', '8', "Asia/Shanghai'", ...SHORT])('%s is no time zone', (text) => {
  expect(readTimeZone(text)).toBeUndefined();
});

import { ConfigError } from '@mediagate/host';
import { checkSettings } from './config';

it('does not start where the records of tasks are kept for longer than their bookings, and so keep these', () => {
  const check = () => checkSettings({ TASK_RETENTION_DAYS: 94, BOOKS_RETENTION_MONTHS: 3 });
  expect(check).toThrow(ConfigError);
  expect(check).toThrow(
    'TASK_RETENTION_DAYS is 94, longer than the 3 months of BOOKS_RETENTION_MONTHS: no bookings would be removed while records of their tasks are kept',
  );
});

it.each([
  [93, 3],
  [30, 3],
  [3650, undefined],
])('starts where records are kept for %s days, and bookings for %s months', (days, months) => {
  expect(() => checkSettings({ TASK_RETENTION_DAYS: days, BOOKS_RETENTION_MONTHS: months })).not.toThrow();
});

import type { Json } from '@mediagate/contracts';
import { SettingSchedule } from './setting-schedule';

const step = (id: string, effectiveInMs: number, field: string, value: Json) => ({
  id,
  section: 'channels' as const,
  name: 'a',
  field,
  value,
  effectiveInMs,
  effectiveAt: '',
  setBy: 'cli:ada',
  reason: null,
});
const fieldsAt = (schedule: SettingSchedule, nowMs: number) => schedule.at(nowMs).channels.get('a');

it('counts each field from its moment on, by the process\u2019s own clock, and the last of a field', () => {
  const schedule = new SettingSchedule();
  schedule.replace(
    { version: 3n, steps: [step('1', -5, 'weight', 5), step('2', 10, 'weight', null), step('3', 20, 'costs', {})] },
    100,
  );
  const before = schedule.at(109);
  expect(before.channels.get('a')).toEqual({ weight: 5 });
  expect(schedule.at(105)).toBe(before);
  expect(fieldsAt(schedule, 110)).toBeUndefined();
  expect(fieldsAt(schedule, 120)).toEqual({ costs: {} });
});

it('never goes back to an older version, nor behind a moment that has come, whatever the database\u2019s clock says next', () => {
  const schedule = new SettingSchedule();
  schedule.replace({ version: 2n, steps: [step('1', 10, 'weight', 5)] }, 100);
  expect(fieldsAt(schedule, 110)).toEqual({ weight: 5 });
  schedule.replace({ version: 1n, steps: [] }, 111);
  expect([schedule.version, fieldsAt(schedule, 112)]).toEqual([2n, { weight: 5 }]);
  schedule.replace({ version: 3n, steps: [step('1', 50, 'weight', 5)] }, 113);
  expect(fieldsAt(schedule, 114)).toEqual({ weight: 5 });
});

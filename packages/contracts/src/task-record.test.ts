import type { TaskId } from './ids';
import { type RecordedTask, toTaskRecord } from './task-record';

function completedRow(createdAt = '2026-01-01T00:00:00Z', completedAt = '2026-01-01T00:00:08Z'): RecordedTask {
  return {
    id: 'task_a' as TaskId,
    kind: 'image',
    model: 'm',
    operation: 'o',
    status: 'completed',
    progress: 100,
    language: null,
    parentTaskId: null,
    metadata: null,
    isTest: false,
    reservedNano: 5n,
    costNano: 5n,
    usage: null,
    result: null,
    error: null,
    createdAt: new Date(createdAt),
    completedAt: new Date(completedAt),
    deadlineAt: new Date(completedAt),
  };
}

it.each([
  ['less than a second, within one', '2026-01-01T00:00:00.100Z', '2026-01-01T00:00:00.900Z', 0],
  ['a fifth of a second, across two', '2026-01-01T00:00:00.900Z', '2026-01-01T00:00:01.100Z', 1],
  ['1.8 s, which would round up', '2026-01-01T00:00:00.100Z', '2026-01-01T00:00:01.900Z', 1],
])('actual_time is exactly completed - created: %s', (_how, createdAt, completedAt, seconds) => {
  const record = toTaskRecord(completedRow(createdAt, completedAt), { creditsPerUnit: 10 });
  expect(record.actual_time).toBe(seconds);
  expect(record.actual_time).toBe((record.completed ?? Number.NaN) - record.created);
});

describe('the money of a record', () => {
  const held = { ...completedRow(), reservedNano: 70_000_000n, costNano: null, completedAt: null, progress: 0 };
  const moneyOf = (row: RecordedTask) => {
    const { cost, credits_cost, reserved } = toTaskRecord(row, { creditsPerUnit: 10 });
    return { cost, credits_cost, reserved };
  };

  it.each(['submitted', 'pending', 'processing'] as const)(
    'of a task that is %s is held, and not charged',
    (status) => {
      expect(moneyOf({ ...held, status })).toEqual({ cost: 0, credits_cost: 0, reserved: 0.07 });
    },
  );

  it('of a completed task is what was settled, and no longer held', () => {
    const row = { ...held, status: 'completed', costNano: 26_925_000n } as const;
    expect(moneyOf(row)).toEqual({ cost: 0.026925, credits_cost: 0.26925, reserved: 0 });
  });

  it('of a failed task is nothing: what was held went back', () => {
    for (const costNano of [0n, null]) {
      expect(moneyOf({ ...held, status: 'failed', costNano })).toEqual({ cost: 0, credits_cost: 0, reserved: 0 });
    }
  });
});

describe('the reason of a failed task', () => {
  const error = { message: 'No.', type: 'task_failed', param: 'image_urls[2]', code: 'task_failed' };
  const reasonOf = (row: Partial<RecordedTask>) =>
    toTaskRecord({ ...completedRow(), status: 'failed', error, ...row }, { creditsPerUnit: 10 }).error;

  it('is what was stored with it', () => {
    expect(reasonOf({ error: { ...error, reason: 'bad_media' } })).toEqual({ ...error, reason: 'bad_media' });
  });

  it('is there for a row of a release that stored none, by its deadline', () => {
    const deadlineAt = new Date('2026-01-01T00:00:30Z');
    expect(reasonOf({ deadlineAt })).toEqual({ ...error, reason: 'upstream_error' });
    expect(reasonOf({ deadlineAt, completedAt: deadlineAt })).toEqual({ ...error, reason: 'timeout' });
    expect(reasonOf({ deadlineAt, error: { ...error, reason: 'no such word' } })).toMatchObject({
      reason: 'upstream_error',
    });
  });
});

import { DatedSteps } from './dated-steps';

interface Step {
  id: string;
  effectiveInMs: number;
  weight: number | null;
}

const step = (id: string, effectiveInMs: number, weight: number | null): Step => ({ id, effectiveInMs, weight });
const weigh = (steps: readonly Step[]) => ({ weight: steps.at(-1)?.weight ?? null });
const open = () => new DatedSteps(weigh, (state) => JSON.stringify(state));

it('counts each step from its moment on, by the process’s own clock, and gives the same object until then', () => {
  const steps = open();
  steps.replace([step('1', -5, 5), step('2', 10, null), step('3', 20, 7)], 100);
  const before = steps.at(109);
  expect(before).toEqual({ weight: 5 });
  expect(steps.at(105)).toBe(before);
  expect([steps.at(110), steps.at(120)]).toEqual([{ weight: null }, { weight: 7 }]);
});

it('never goes back behind a moment that has come, whatever the database’s clock says next', () => {
  const steps = open();
  steps.replace([step('1', 10, 5)], 100);
  expect(steps.at(110)).toEqual({ weight: 5 });
  steps.replace([step('1', 50, 5)], 113);
  expect(steps.at(114)).toEqual({ weight: 5 });
});

it('gives the same object where other steps come to the same', () => {
  const steps = open();
  steps.replace([step('1', -5, 5)], 100);
  const before = steps.at(101);
  steps.replace([step('2', -5, 5)], 102);
  expect(steps.at(103)).toBe(before);
});

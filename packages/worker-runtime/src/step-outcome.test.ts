import { givenUp } from './step-outcome';

it('an answer that nobody can read keeps what the vendor charges for it', () => {
  const fault = { code: 'outcome_unknown', detail: 'nothing at /clip/b64', credits: '4.5' } as const;
  expect(givenUp(fault, ['r-1'])).toEqual({ kind: 'failed', reason: 'outcome_unknown', fault, requestIds: ['r-1'] });
});

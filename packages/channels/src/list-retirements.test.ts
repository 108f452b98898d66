import { describeRetirement, listRetirements } from './list-retirements';

it('of the models of a channel those are listed whose vendor has announced their end', () => {
  const models = {
    lasting: 'a',
    named: { name: 'b' },
    ending: { name: 'c', served_until: '2027-01-06', replaced_by: 'd' },
  };
  const listed = listRetirements({ models }, Date.parse('2026-11-23T10:00:00Z'));
  expect(listed.map(describeRetirement)).toEqual([
    {
      model: 'ending',
      upstream_model: 'c',
      served_until: '2027-01-06',
      replaced_by: 'd',
      days_left: 44,
      stage: 'ending',
    },
  ]);
});

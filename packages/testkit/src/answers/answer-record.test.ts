import { loadCatalogue } from '@mediagate/catalog';
import { createAnswerJudge } from './answer-judge';
import { createAnswerRecord } from './answer-record';

const lineage = {
  method: 'GET',
  url: '/v1/tasks/task_a/lineage',
  headers: { 'x-request-id': 'a', 'content-type': 'application/json' },
};
const wrong = { id: 'task_a', ancestors: [], descendants: [], truncated: 'no' };

it('an undocumented status and a wrong field fail the test that saw them, and no other', () => {
  const record = createAnswerRecord(createAnswerJudge(loadCatalogue().entries, 'mj'));
  record.requireDescribed();
  record.see({ ...lineage, status: 418, text: '{}' });
  record.see({ ...lineage, status: 200, text: JSON.stringify({ code: 200, data: wrong }) });
  expect(() => record.requireDescribed()).toThrow(/no such status.*\n.*truncated must be boolean/);
  record.requireDescribed();
});

import { loadCatalogue } from '@mediagate/catalog';
import { createAnswerJudge, type SeenAnswer } from './answer-judge';

const judge = createAnswerJudge(loadCatalogue().entries, 'mj');

const headers = { 'x-request-id': 'a', 'content-type': 'application/json; charset=utf-8' };
const lineage = { id: 'task_a', ancestors: [], descendants: [], truncated: false };
const right: SeenAnswer = {
  method: 'GET',
  url: '/v1/tasks/task_a/lineage?x=1',
  status: 200,
  headers,
  text: JSON.stringify({ code: 200, data: lineage }),
};
const error = { code: 404, message: 'Task not found.', type: 'not_found', reason: 'not_found', request_id: 'a' };

it('an answer as its entry describes it passes', () => {
  expect(judge(right)).toBeUndefined();
  expect(judge({ ...right, status: 404, text: JSON.stringify({ error }) })).toBeUndefined();
  expect(judge({ ...right, method: 'HEAD' })).toBeUndefined();
});

it.each<[string, Partial<SeenAnswer>, string]>([
  ['a status', { status: 418 }, 'no such status'],
  ['a field', { text: JSON.stringify({ code: 200, data: { ...lineage, extra: 1 } }) }, 'additional properties'],
  ['a type', { text: JSON.stringify({ code: 200, data: { ...lineage, truncated: 'no' } }) }, 'must be boolean'],
  ['a reason', { status: 404, text: JSON.stringify({ error: { ...error, reason: 'gone' } }) }, 'allowed values'],
  ['a content type', { headers: { ...headers, 'content-type': 'text/html' } }, 'no content type text/html'],
  ['no request id', { headers: { 'content-type': 'application/json' } }, 'X-Request-Id'],
  ['a path', { url: '/v1/nowhere' }, 'no operation has that method and path'],
])('%s that its entry does not have is named', (_what, wrong, fault) => {
  expect(judge({ ...right, ...wrong })).toContain(fault);
});

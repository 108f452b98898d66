import { searchFor, TYPED } from '../web/src/pages/support/read-filters';
import { replaceSearch } from '../web/src/parts/task-search';

describe('what an operator types to find a task', () => {
  it.each([
    ['task_01hzy8k3q2w6jthg6v0000000a', { taskId: 'task_01hzy8k3q2w6jthg6v0000000a' }],
    ['task_01m7', { filters: { id: 'task_01m7' } }],
    ['task_…w6jthg6', { filters: { id: 'w6jthg6' } }],
    ['acct_01m7', { filters: { account_id: 'acct_01m7' } }],
    ['https://files.example/1.png', { filters: { url: 'https://files.example/1.png' } }],
    ['order=117', { filters: { 'metadata.order': '117' } }],
    ['0193c1f2-7000-7000-8000-000000000001', { filters: { request_id: '0193c1f2-7000-7000-8000-000000000001' } }],
    ['case-117', { filters: { request_id: 'case-117' } }],
    ['deadline', { filters: { query: 'deadline' } }],
    ['black image 4k', { filters: { query: 'black image 4k' } }],
  ])('%s', (typed, searched) => {
    expect(searchFor(typed)).toEqual(searched);
  });
});

describe('a second search', () => {
  const words = new URLSearchParams({
    request_id: 'A-1200',
    'metadata.order': '7',
    status: 'failed',
    account_id: 'acct_1',
  });

  it('takes the place of the first, and leaves the account and what was chosen', () => {
    const changes = { request_id: '', 'metadata.order': '', query: 'deadline' };
    expect(replaceSearch(words, TYPED, { query: 'deadline' })).toEqual(changes);
  });

  it('of an account narrows the first', () => {
    expect(replaceSearch(words, TYPED, { account_id: 'acct_2' })).toEqual({ account_id: 'acct_2' });
  });
});

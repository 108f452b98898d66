import { makeCursor, readCursor } from './page';

it('gives back the place that a cursor was made of', () => {
  for (const place of ['1', '9223372036854775807', 'task_01m7y2sj24fztvyr284w6jthg6', '']) {
    expect(readCursor('ledger', makeCursor('ledger', place))).toBe(place);
  }
});

it.each([
  ['of another list', makeCursor('tasks', '1')],
  ['of another version', Buffer.from('[2,"ledger","1"]').toString('base64url')],
  ['of another shape', Buffer.from('{"place":"1"}').toString('base64url')],
  ['with a place that is no text', Buffer.from('[1,"ledger",1]').toString('base64url')],
  ['that is no JSON', Buffer.from('[1,"led').toString('base64url')],
  ['with other characters', `${makeCursor('ledger', '1')}==`],
  ['that is too long', makeCursor('ledger', 'x'.repeat(200))],
  ['that is empty', ''],
])('refuses one %s', (_how, cursor) => {
  expect(readCursor('ledger', cursor)).toBeUndefined();
});

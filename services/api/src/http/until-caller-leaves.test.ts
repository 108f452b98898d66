import { EventEmitter } from 'node:events';
import type { Call } from './exchange';
import { RequestScope } from './request-scope';
import { untilCallerLeaves } from './until-caller-leaves';

function connection(destroyed: boolean): Pick<Call, 'response' | 'scope'> {
  const response = Object.assign(new EventEmitter(), { destroyed }) as Call['response'];
  return { response, scope: new RequestScope('req_1') };
}

it('is aborted when the connection is closed, and at once where it was closed before', () => {
  const open = connection(false);
  const { signal } = untilCallerLeaves(open);
  expect(signal.aborted).toBe(false);
  open.response.emit('close');
  expect(signal.aborted).toBe(true);
  expect(untilCallerLeaves(connection(true)).signal.aborted).toBe(true);
});

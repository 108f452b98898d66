import { withoutRepeatedSlashes } from './without-repeated-slashes';

it.each([
  ['//v1/tasks', '/v1/tasks'],
  ['/v1//tasks', '/v1/tasks'],
  ['/v1///tasks//', '/v1/tasks/'],
  ['/v1//tasks?after=//a', '/v1/tasks?after=//a'],
  ['//?', '/?'],
])('%s is %s', (sent, meant) => expect(withoutRepeatedSlashes(sent)).toBe(meant));

it.each([
  '/',
  '/v1/tasks',
  '/v1/tasks?link=https://a.example//b',
  'http://api.example/v1//tasks',
  '*',
  'api.example:443',
])('%s stays', (sent) => expect(withoutRepeatedSlashes(sent)).toBe(sent));

import { withoutRepeatedSlashes, withSpeedInQuery } from './request-path';

it.each([
  ['/mj-fast/mj/submit/imagine', '/mj/submit/imagine?speed=fast'],
  ['/mj-turbo/mj/submit/imagine?dry_run=true', '/mj/submit/imagine?dry_run=true&speed=turbo'],
  ['/mj-fast/mj/submit/imagine?speed=turbo', '/mj/submit/imagine?speed=fast'],
  ['/mj-fast/mj/submit/imagine?speed&speed=turbo&dry_run=true', '/mj/submit/imagine?dry_run=true&speed=fast'],
  ['/mj-relax/mj/task/task_1/fetch', '/mj/task/task_1/fetch?speed=relax'],
])('%s is read as %s', (url, read) => expect(withSpeedInQuery(url, 'mj')).toBe(read));

it.each([
  '/mj/submit/imagine',
  '/mj-slow/mj/submit/imagine',
  '/mj-fast/v1/tasks',
  '/mj-fast',
  '/other-fast/other/submit/imagine',
])('%s stays as it is', (url) => expect(withSpeedInQuery(url, 'mj')).toBe(url));

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

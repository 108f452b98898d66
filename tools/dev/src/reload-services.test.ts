import { reloadServices } from './reload-services';
import { findServices } from './services';

it('sends SIGHUP to every service that runs, and to no database, Redis or vendor', () => {
  const services = Object.fromEntries(findServices().map((name, index) => [name, 100 + index]));
  const { tts, ...running } = services;
  const sent: [pid: number, signal: string][] = [];
  const said: string[] = [];
  const pids = { ...running, postgres: 1, redis: 2, simulator: 3 };
  reloadServices(pids, { say: (line) => said.push(line), kill: (pid, signal) => sent.push([pid, signal]) });
  expect(tts).toBeDefined();
  expect(sent).toEqual(Object.values(running).map((pid) => [pid, 'SIGHUP']));
  expect(said).toEqual([`${sent.length} services are to read the channels file again`]);
});

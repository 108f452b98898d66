import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { falModels } from '../src/fal/models';
import { officialModels } from '../src/replicate/models';

const CONFIG = join(__dirname, '../../deploy/config');
const ENDPOINT = /^\s*- endpoint: (\S+)$/gm;

it.each(['example.yaml', 'simulator.yaml'])('every hosted model that a template of %s names is there', (file) => {
  const channels = readFileSync(join(CONFIG, file), 'utf8').split(/^ {2}- id: /m);
  const hosts = channels.filter((channel) => /^ {4}protocol: (?:fal-queue|replicate)$/m.test(channel));
  const named = hosts.flatMap((channel) => [...channel.matchAll(ENDPOINT)].map(([, endpoint = '']) => endpoint));
  expect(named.length).toBeGreaterThan(0);
  const known = [...Object.keys(falModels), ...Object.keys(officialModels)];
  expect(named.filter((endpoint) => !known.includes(endpoint))).toEqual([]);
});

import { join } from 'node:path';
import { loadCatalogue } from '@mediagate/catalog';
import { openSettings } from '@mediagate/settings';
import { createAnswerJudge } from '@mediagate/testkit';

export const LEGACY_PREFIX = 'mj';

export const catalogue = loadCatalogue();

/** Judges an answer by the operation table, whoever asked. */
export const judgeAnswer = createAnswerJudge(catalogue.entries, LEGACY_PREFIX);

export const ANY_VARIABLE: Record<string, string> = new Proxy(
  {},
  { get: (_, name) => (String(name).endsWith('_KEY') ? 'none' : 'http://127.0.0.1:9') },
);

/** The simulator's file, whose channels lead nowhere. */
export const SIMULATED = openSettings(
  join(__dirname, '../../../../deploy/config/simulator.yaml'),
  ANY_VARIABLE,
).settings;

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SHIPPED_CHANNELS = join(__dirname, '../../../../deploy/config/simulator.yaml');
const NAMED = /\$\{(SIM_([A-Z]+)_(KEY|KEY_PAIR))\}/g;

/**
 * The keys that the simulator takes as its vendors', by the variables that the shipped channels file names: `sim-openai-key` for
 * `SIM_OPENAI_KEY`, `sim-kling-access-key:sim-kling-secret-key` for `SIM_KLING_KEY_PAIR`. They are public, and good for nothing else.
 */
export function simulatorKeys(): Record<string, string> {
  const text = readFileSync(SHIPPED_CHANNELS, 'utf8');
  return Object.fromEntries(
    [...text.matchAll(NAMED)].map(([, variable = '', name = '', kind = '']) => [
      variable,
      keyOf(name.toLowerCase(), kind),
    ]),
  );
}

function keyOf(vendor: string, kind: string): string {
  return kind === 'KEY' ? `sim-${vendor}-key` : `sim-${vendor}-access-key:sim-${vendor}-secret-key`;
}

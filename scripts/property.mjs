// `npm run property` (by scripts/run.sh): the comparison of estimates with reservations, over 10,000 bodies in place of the 500 of
// `npm test`, about five minutes; ESTIMATE_SEED takes others.
import { spawnSync } from 'node:child_process';

const TEST = 'services/api/src/routes/public/estimates/estimates.property.int.test.ts';
const env = { ESTIMATE_BODIES: '10000', ...process.env };
const { status } = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', TEST], { stdio: 'inherit', env });
process.exitCode = status ?? 1;

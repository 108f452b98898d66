// `npm run reference` (by scripts/run.sh): brings the tables of docs/api.md up to date with the operation table and the catalogue, and
// that of docs/prices.md with the catalogue, deploy/config/mediagate.schema.json with the protocols, and Grafana's dashboard with
// tools/deployment/test/dashboard.ts, and the types by which adapters in packages are written with the contract.
// `npm run reference -- types.ts` also writes the types of every request and answer, for clients in TypeScript.
import { spawnSync } from 'node:child_process';

const flags = ['--require', './scripts/register-typescript.cjs'];
const programs = [
  ['packages/api-contract/test/write-reference.ts', ...process.argv.slice(2)],
  ['packages/catalog/test/write-prices.ts'],
  ['packages/settings/test/write-editor-schema.ts'],
  ['packages/upstreams/test/write-contract.ts'],
  ['tools/deployment/test/write-dashboard.ts'],
];

for (const program of programs) {
  const { status } = spawnSync(process.execPath, [...flags, ...program], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
}

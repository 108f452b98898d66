import { readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { ROOT, readText } from './checkout';

const { version } = JSON.parse(readText('package.json')) as { version: string };

describe('the version', () => {
  it('is that of the newest release in the changelog, which has a date', () => {
    const [newest] = readText('CHANGELOG.md').matchAll(/^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$/gm);
    expect(newest?.[1]).toBe(version);
  });

  it('is what the command line prints', () => {
    expect(JSON.parse(readText('tools/cli/package.json'))).toMatchObject({ version });
  });

  it('is that of the chart and of the image that it deploys', () => {
    expect(parse(readText('deploy/helm/mediagate/Chart.yaml'))).toMatchObject({ version, appVersion: version });
    expect(readText('docs/deployment.md')).toContain(`tag: "${version}"`);
  });
});

describe('the public CI', () => {
  interface Step {
    run?: string;
    uses?: string;
    with?: object;
  }
  const workflow = parse(readText('.github/workflows/ci.yml')) as {
    permissions: object;
    jobs: Record<string, { steps: Step[]; 'timeout-minutes': number }>;
  };
  const jobs = Object.values(workflow.jobs);

  it('runs three commands that a person runs, and nothing else', () => {
    const commands = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    expect(commands).toEqual(['npm run check', 'npm test', 'npm run test:vendors']);
    for (const command of commands) expect(readText('CONTRIBUTING.md')).toContain(`\`${command}\``);
  });

  it('may read the repository alone, ends in time, and runs the Node that the lockfile has', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of jobs) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
    const nodes = jobs.flatMap(({ steps }) => steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@')));
    expect(nodes.map((step) => step.with)).toEqual(jobs.map(() => ({ 'node-version-file': '.nvmrc' })));
    const { nodeVersion } = parse(readText('pnpm-workspace.yaml')) as { nodeVersion: string };
    expect(readText('.nvmrc').trim()).toBe(nodeVersion);
  });
});

it('every issue form can be read, and asks for something', () => {
  const forms = readdirSync(`${ROOT}/.github/ISSUE_TEMPLATE`);
  expect(forms.length).toBeGreaterThan(1);
  for (const form of forms) {
    const { name, description, body } = parse(readText(`.github/ISSUE_TEMPLATE/${form}`));
    expect([typeof name, typeof description]).toEqual(['string', 'string']);
    expect(body.some(({ validations }: { validations?: { required: boolean } }) => validations?.required)).toBe(true);
  }
});

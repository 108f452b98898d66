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

  it('runs four commands that a person runs, and nothing else', () => {
    const commands = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    expect(commands).toEqual(['npm run check', 'npm test', 'npm run test:vendors', 'npm run test:nights']);
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

describe('the workflow that publishes a release', () => {
  const text = readText('.github/workflows/release.yml');
  const { on, permissions, jobs } = parse(text);
  const { steps } = jobs.publish;
  const runs = steps.flatMap(({ run }: { run?: string }) => run ?? []).join('\n');

  it('runs for tags of versions alone, and may write nothing but what it publishes', () => {
    expect([on, permissions]).toEqual([{ push: { tags: ['v*.*.*'] } }, { contents: 'read' }]);
    expect(jobs.publish.permissions).toEqual({ contents: 'write', packages: 'write', 'id-token': 'write' });
  });

  it('builds for both processors, with an SBOM and its provenance', () => {
    const { with: build } = steps.find(({ id }: { id?: string }) => id === 'image');
    expect(build).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      push: true,
      sbom: true,
      provenance: 'mode=max',
    });
  });

  it('signs the image, the chart and the digests, and has the chart name the image by its digest', () => {
    for (const signed of ['"$IMAGE@$DIGEST"', '"$CHARTS/mediagate@', 'SHA256SUMS'])
      expect(runs).toMatch(new RegExp(`^\\s*cosign sign(?:-blob)? .*${signed.replace(/[$]/g, '\\$&')}`, 'm'));
    // The lines that it replaces are there, each once.
    for (const name of ['repository', 'digest'])
      expect(readText('deploy/helm/mediagate/values.yaml').match(new RegExp(`^  ${name}:`, 'gm'))).toHaveLength(1);
  });

  it('runs scripts that there are', () => {
    const scripts = [...runs.matchAll(/node (scripts\/\S+)/g)].map(([, script = '']) => script);
    expect(scripts).toEqual(['scripts/release.mjs']);
    expect(readText(scripts[0] ?? '')).toContain("notes: { type: 'boolean' }");
    for (const folder of [...runs.matchAll(/^cd (packages\/\S+)$/gm)].map(([, path]) => path))
      expect(JSON.parse(readText(`${folder}/package.json`)).scripts.prepack).toBeDefined();
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

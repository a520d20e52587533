import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { api } from '@forecourt/contract/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const featuresOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
const filesBelow = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(ts|tsx|sql)$/.test(file),
  );

/** Returns imports between features that use a file with another ending. */
function importsAcross(features: string, endings: readonly string[]): string[] {
  return filesBelow(features).flatMap((file) => {
    const source = readFileSync(join(ROOT, features, file), 'utf8');
    const paths = [...source.matchAll(/(?:from|import|import\() ?'(\.[^']+)'/g)].map(([, path]) => path!);
    return paths
      .map((path) => relative(join(ROOT, features), resolve(ROOT, features, dirname(file), path)))
      .filter((path) => !path.startsWith('..') && path.split(sep)[0] !== file.split(sep)[0])
      .filter((path) => !endings.some((ending) => path.endsWith(ending)))
      .map((path) => `${file} imports ${path}`);
  });
}
const ACROSS = [
  ['server/src/features', ['.service.ts']],
  ['web/src/features', ['.queries.ts', '.lazy.ts', '.shared.ts']],
] as const;

/** The rooms of a folder by floor, from the ground: a file or folder below it. */
type Floors = readonly (readonly string[])[];

/**
 * Floors of the folders with the most parts. A room imports rooms of lower floors only; an import of a type counts, and a
 * lazy one too.
 */
const FLOORS: Readonly<Record<string, Floors>> = {
  'web/src/features/deals': [
    [
      'action-keys.ts',
      'deal-fields.ts',
      'deal-view.ts',
      'undo-step.ts',
      'listed-names.ts',
      'attachments',
      'ClosedMonths.tsx',
    ],
    ['deal-row.ts', 'deals.queries.ts'],
    ['data-entry-context.ts', 'open-parts.ts', 'items', 'custom'],
    ['history', 'views', 'sync', 'presence', 'marks', 'comments'],
    ['store', 'deals.columns.tsx', 'notices', 'deal-filter.shared.ts', 'form', 'changes'],
    ['actions', 'status-bar', 'groups', 'backup-rows', 'use-deals.ts'],
    ['import'],
    ['rows', 'toolbar', 'page', 'prefetch-data-entry.ts'],
    ['DataEntryScreen.tsx', 'deal-filter.lazy.ts', 'backup-rows.lazy.ts'],
  ],
  'web/src': [
    ['platform'],
    ['texts', 'grid', 'features/deal-views'],
    ['ui'],
    [
      'features/notifications',
      'features/debug',
      'features/dealerships',
      'features/do-not-contact',
      'features/users',
      'features/demo',
      'features/custom-fields',
      'features/changelog',
      'features/email-settings',
      'features/items',
      'features/jobs',
    ],
    [
      'features/email-sending',
      'features/auth',
      'features/dashboard',
      'features/permissions',
      'features/activity',
      'features/audit',
    ],
    ['features/deals', 'features/statuses', 'features/email-templates', 'features/months'],
    ['features/palette', 'features/reports', 'features/settings', 'features/exports', 'features/backups'],
    ['routes.tsx'],
    ['app'],
    ['main.tsx'],
  ],
  'server/src/platform': [
    [
      'log.ts',
      'start-error.ts',
      'ids.ts',
      'define-job.ts',
      'in-parallel.ts',
      'sealed-columns.ts',
      'clock.ts',
      'conditions.ts',
      'formats.ts',
      'table-files',
      'pdf',
      'smtp-url.ts',
      'files-url.ts',
      'database-url.ts',
      'passwords.ts',
      'with-timeout.ts',
    ],
    ['data-dir.ts', 'config.ts'],
    ['db', 'secrets.ts', 'outbound'],
    ['disk-space.ts', 's3', 'reseal.ts', 'notify.ts', 'metrics.ts', 'audit-counts.ts'],
    ['data-folder.ts', 'http', 'installation.ts'],
    [
      'audit.ts',
      'health.ts',
      'next-key.ts',
      'rate-limit.ts',
      'records.queries.ts',
      'live',
      'viewers.ts',
      'usage.ts',
    ],
    ['ordering.ts', 'sessions.ts', 'jobs', 'sharing', 'shared-folder.ts'],
    ['mail', 'files'],
  ],
  'server/src': [
    ['platform'],
    [
      'features/auth',
      'features/audit',
      'features/email-settings',
      'features/email-templates',
      'features/custom-fields',
      'features/settings',
      'features/permissions',
    ],
    ['features/activity', 'features/dealerships', 'features/demo'],
    ['features/deals'],
    [
      'features/do-not-contact',
      'features/dashboard',
      'features/deal-views',
      'features/items',
      'features/jobs',
      'features/months',
      'features/notifications',
      'features/reports',
      'features/statuses',
    ],
    ['features/email-sending', 'features/exports', 'features/users'],
    ['features/backups'],
    ['readings.ts', 'services.ts'],
    ['app.ts'],
    ['run.ts'],
    ['stopped-database.ts'],
    ['main.ts', 'move-files.ts', 'rotate-key.ts'],
    ['move-files-main.ts', 'rotate-key-main.ts'],
  ],
};

/** Returns the imports of a file, as paths from the root: of types too, and lazy ones. */
const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+\.tsx?)'/g),
  ].map(([, path]) => relative(ROOT, resolve(ROOT, dirname(file), path!)));

/** Returns the files below a folder without tests, with their imports among them. */
function importGraph(folder: string): ReadonlyMap<string, readonly string[]> {
  const files = filesBelow(folder)
    .filter((file) => !/\.(test|fixture|generated)\.tsx?$|\.sql$/.test(file))
    .map((file) => `${folder}/${file}`);
  return new Map(
    files.map((file) => [file, importsOf(file).filter((path) => path.startsWith(`${folder}/`))]),
  );
}

/** Returns the imports that do not go down, and the rooms that have no floor. */
function brokenFloors(folder: string, floors: Floors): string[] {
  const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)));
  const roomOf = (file: string): string => {
    const path = file.slice(folder.length + 1).split('/');
    return floorOf.has(path[0]!) || path.length === 1 ? path[0]! : path.slice(0, 2).join('/');
  };
  return [...importGraph(folder)].flatMap(([file, imports]) => {
    const room = roomOf(file);
    const floor = floorOf.get(room);
    if (floor === undefined) return [`${folder}/${room} has no floor`];
    return imports
      .filter((path) => roomOf(path) !== room && (floorOf.get(roomOf(path)) ?? Infinity) >= floor)
      .map((path) => `${file} imports ${path}, which is not below it`);
  });
}

/** Returns the files in circles of imports, and those that lead to one, each with the next. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  // A file without imports, or whose imports are all removed, is in no circle.
  const left = new Map(graph);
  for (let size = -1; size !== left.size;) {
    size = left.size;
    for (const [file, imports] of left) if (!imports.some((path) => left.has(path))) left.delete(file);
  }
  return [...left].map(
    ([file, imports]) => `${file} → ${imports.filter((path) => left.has(path)).join(', ')}`,
  );
}

/** Documents outside the repository that comments once cited by section or number. */
const OUTSIDE =
  /\b(?:spec|product|measured|beyond|redesign)\.md\b|(?<!product\/)\bsecurity\.md\b|\b(?:spec|product|security|measured|beyond)(?:ification)?,? sections? \d|\bsections? \d+\w? of the spec|\bsecurity [A-Z]\d+\b/g;
/**
 * A page of docs/, and after a comma a text that starts with one of its headings: `docs/product/email.md, Undo send`.
 */
const CITED = /\b(docs\/[\w/-]+\.md)(?:, (?=[A-Z])([^);]+))?/g;

const isHeadingOf = (page: string, text: string): boolean =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^#+ (.+)$/gm)].some(
    ([, heading]) => text.startsWith(heading!) && !/^\w/.test(text.slice(heading!.length)),
  );

/** Returns the citations in these files of documents, pages or headings that do not exist in the repository. */
const wrongCitations = (files: readonly string[]): string[] =>
  files.flatMap((file) => {
    // A citation can continue on the next line of its comment.
    const source = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\s*\n\s*(?:\*|\/\/|--)?\s*/g, ' ');
    const outside = [...source.matchAll(OUTSIDE)].map(([text]) => text);
    const missing = [...source.matchAll(CITED)]
      .filter(([, page, text]) => !existsSync(join(ROOT, page!)) || (text && !isHeadingOf(page!, text)))
      .map(([text]) => text);
    return [...outside, ...missing].map((text) => `${file} cites ${text}`);
  });

/** Private names that were replaced by terms of the field: `AccessFields` for `Held`, `hasEditAccess` for `isHeldToEdit`. */
const OLD_VOCABULARY = new Set(
  `createTogether createAttempts stepByStep deal-desk deal-news deal-parts deal-holds kept-texts own-versions
  open-elsewhere outboxes departed mayHaveLeft sight inSight earshotOf Held held isHeld isHeldToEdit findHoldings
  counted-calls turns under-way remembered making packing carrying inspecting engine letter cut away in-use
  comingLater coming-later painted useFirstScreenStands early-answers takeEarly may useMay
  MOST_CREATED MOST_AT_ONCE MOST_SEARCHED ATTACHMENTS_MAX MERGE_LIMIT KEPT Sent StatusSent KeptMessage
  use-stand-in useStandIn errorFromAnswer errorWithoutAnswer changelog-news useChangelogNews
  sampleGiven Standing KeptForm IMAGE_BYTES IMAGES_BYTES ATTACHMENTS_BYTES MAX_DEALERSHIPS MAX_DEALS
  within withinById columnsSeenBy presenceSeenBy canAddInSight outOfSight findScopedKept soughtDigits KeptPermissions
  Judge newestWith keptMessageQuery notePassed noteVerified noteTour noteUncaught noteChangelogSeen pricedWords inWords
  ROW_GONE LostRow HandOver HandOverValues hand-over-words belongingsInWords insertPiece readPiece countTry CountedTry
  claimDrill releaseDrill UnseenChange canGiveEntry adminRemains keepRestorer wrongIn alone Answer answerOf Fate
  createParkedMail ParkedMail parked-mail parkedMailQuery settleParkedMail settleParked parkOverdue mayRelease mayShare
  mayPass mayRead mayOpen mayAdd tryWriting Writing notices Notices openNotices silentNotices rights rightsOf readRecord
  mail-address readMailAddress createEntryService EntryService composing createComposing Composing files-in-use
  createFilesInUse direct OneStep inOneStep inTurn backup-engine CatalogueEntry start-failure launcher document-parts
  FilterWords partWords flagWords filter-words`.split(/\s+/),
);

const OLD_SCHEMA = new Set(
  `at by_id fence ended_because only_row parked_at viewings audit_sealed audit_blankings counted_calls
  audit_entries_stay dealership_shares_go`.split(/\s+/),
);

/** Features that exist on one side only, each with its reason. */
const ONE_SIDED = {
  changelog: 'is read when the pages are built',
  debug: "is the page's own log",
  palette: 'requests the lists of other features',
};
const isTwoSided = (feature: string) => !(feature in ONE_SIDED);

/** Roles that a feature does not have, each with its reason. */
const WITHOUT: Record<string, { roles: string[]; because: string }> = {
  dashboard: {
    roles: ['queries', 'policy'],
    because: 'it returns figures of deals, with the rules of deals',
  },
  reports: { roles: ['queries'], because: 'they return figures of deals' },
  demo: { roles: ['policy'], because: 'everything in a demo is visible to every user' },
  notifications: { roles: ['policy'], because: 'every user has only their own' },
};

describe('architecture', () => {
  test('the code has the same features in contract, server and web', () => {
    const server = featuresOf('server/src/features').filter(isTwoSided);
    const web = featuresOf('web/src/features').filter(isTwoSided);
    expect(web.sort()).toEqual(server.sort());
    for (const feature of server) {
      expect(existsSync(join(ROOT, `contract/src/${feature}.ts`)), `contract/src/${feature}.ts`).toBe(true);
    }
  });

  test('the code gives every server feature routes, service, queries, policy, and tests', () => {
    for (const feature of featuresOf('server/src/features').filter(isTwoSided)) {
      const files = readdirSync(join(ROOT, 'server/src/features', feature));
      const roles = ['routes', 'service', 'queries', 'policy'];
      for (const role of roles.filter((role) => !WITHOUT[feature]?.roles.includes(role)))
        expect(files).toContain(`${feature}.${role}.ts`);
      expect(
        files.some((file) => file.endsWith('.test.ts')),
        `${feature} has tests`,
      ).toBe(true);
    }
  });

  test('the code has no file with a vague name', () => {
    const vague = /(^|\/)(utils?|helpers?|types|index|common|misc)\.tsx?$/;
    const files = ['contract/src', 'server/src', 'server/test', 'web/src', 'e2e'].flatMap((folder) =>
      filesBelow(folder).filter((file) => !file.includes('node_modules')),
    );
    expect(files.filter((file) => vague.test(file))).toEqual([]);
  });

  test('the code has no file and no exported name of the old vocabulary', () => {
    const files = ['contract/src', 'server/src', 'web/src'].flatMap((folder) =>
      filesBelow(folder)
        .filter((file) => !file.includes('node_modules'))
        .map((file) => `${folder}/${file}`),
    );
    const names = files.flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const exported = source.matchAll(
        /^export (?:default )?(?:async )?(?:const|function|type|interface|class) (\w+)/gm,
      );
      return [file.replace(/^.*\/|\..*$/g, ''), ...[...exported].map(([, name]) => name!)];
    });
    expect(names.length).toBeGreaterThan(1000);
    // Limits are named MAX_.
    expect(names.filter((name) => OLD_VOCABULARY.has(name) || name.startsWith('MOST_'))).toEqual([]);
  });

  test('the server has a key of its own for each advisory lock', () => {
    const keys = filesBelow('server/src').flatMap((file) =>
      [...readFileSync(join(ROOT, 'server/src', file), 'utf8').matchAll(/_LOCK = ([\d_]+);/g)].map(
        ([, key]) => key!,
      ),
    );
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  test('the code has no table, column or trigger of the old vocabulary', () => {
    const schema = readFileSync(join(ROOT, 'server/schema.sql'), 'utf8');
    const names = [...schema.matchAll(/^(?:create table|create trigger| )\s*(\w+)/gim)].map(
      ([, name]) => name!,
    );
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter((name) => OLD_SCHEMA.has(name))).toEqual([]);
  });

  test.each(Object.entries(FLOORS))('each file of %s imports only lower floors', (folder, floors) => {
    expect(importGraph(folder).size).toBeGreaterThan(50);
    expect(brokenFloors(folder, floors)).toEqual([]);
  });

  test('the parts of deals in the web have at most nine floors', () => {
    expect(FLOORS['web/src/features/deals']!.length).toBeLessThanOrEqual(9);
  });

  test.each(['contract/src', 'server/src', 'web/src'])(
    'no files of %s import each other, also as types or later',
    (folder) => {
      expect(circlesOf(importGraph(folder))).toEqual([]);
    },
  );

  test.each(ACROSS)('the code uses another feature of %s only through its %s', (features, endings) => {
    expect(importsAcross(features, endings)).toEqual([]);
  });

  test('the code has requests in each queries file of the web, and loads no component there', () => {
    const files = filesBelow('web/src/features').filter((file) => file.endsWith('.queries.ts'));
    const matching = (pattern: RegExp): string[] =>
      files.filter((file) => pattern.test(readFileSync(join(ROOT, 'web/src/features', file), 'utf8')));
    expect(files.length).toBeGreaterThan(20);
    expect(matching(/\blazy\w*\(|\bimport\(/), 'lazy parts are in `.lazy.ts`').toEqual([]);
    expect(
      matching(/\b(?:readQuery|freshQuery|useChange|useCall|call)\(/),
      'others are in `.shared.ts`',
    ).toEqual(files);
  });

  test.each([
    ['policies do no I/O', '.policy.ts', /\basync\b|platform\/db/],
    ['queries call no service', '.queries.ts', /\.service\.ts'|\.routes\.ts'/],
    ['services do not depend on HTTP', '.service.ts', /\.routes\.ts'|from 'fastify'/],
  ])('%s', (_rule, ending, forbidden) => {
    const files = filesBelow('server/src/features').filter((file) => file.endsWith(ending));
    const broken = files.filter((file) =>
      forbidden.test(readFileSync(join(ROOT, 'server/src/features', file), 'utf8')),
    );
    expect(files.length).toBeGreaterThan(3);
    expect(broken).toEqual([]);
  });

  test('the code shows a failed load through one component, which keeps data and unsaved text on the screen', () => {
    const files = filesBelow('web/src').filter((file) => file.endsWith('.tsx'));
    const source = (file: string) => readFileSync(join(ROOT, 'web/src', file), 'utf8');
    const whole = files.filter((file) => /\/LoadFailed\.tsx'/.test(source(file)));
    // Besides `Loaded`: data that does not come from a query.
    expect(whole.sort()).toEqual([
      'features/dashboard/DashboardScreen.tsx',
      'features/dealerships/DealershipsScreen.tsx',
      'features/deals/notices/DealsEmpty.tsx',
      'features/reports/ReportReaders.tsx',
      'ui/Loaded.tsx',
    ]);
    const decides = /\{[^}]*\berror\b[^}]*\} = use(Infinite)?Query\(|\.is(Loading|Refetch)Error\b/;
    // A missing image leaves a gap in the surrounding text.
    const own = ['features/email-templates/body/ImageBlock.tsx'];
    expect(files.filter((file) => decides.test(source(file)))).toEqual(own);
  });

  test('the code reads a page in a test until it shows the awaited state, never once', () => {
    const files = filesBelow('e2e').filter((file) => file.endsWith('.test.ts'));
    const once = files.filter((file) =>
      /expect\(\s*(await |new URL\()/.test(readFileSync(join(ROOT, 'e2e', file), 'utf8')),
    );
    expect(files.length).toBeGreaterThan(80);
    expect(once, 'use expect.poll(() => …)').toEqual([]);
  });

  test('the code loads parts of a page only by functions that repeat a failed load', () => {
    const files = filesBelow('web/src').filter((file) => /\.tsx?$/.test(file));
    const own = files.filter((file) =>
      /\blazy\b[^;]*from 'react'/.test(readFileSync(join(ROOT, 'web/src', file), 'utf8')),
    );
    expect(own.sort()).toEqual(['platform/first-screen.ts', 'ui/lazy-part.ts']);
  });

  test('the code shows days and months in Australian order, with native fields only behind a text', () => {
    const native = /type="(month|date|datetime-local|time|week)"/;
    const files = filesBelow('web/src').filter((file) =>
      native.test(readFileSync(join(ROOT, 'web/src', file), 'utf8')),
    );
    // The month is a text; the native field lies invisibly above it.
    expect(files).toEqual(['features/deals/toolbar/DealsToolbar.tsx']);
  });

  test('the code opens menus through one component, whose focus moves at once', () => {
    // The menus of the template editor keep the selection of its text.
    const own = /^features\/email-templates\/|^ui\/ButtonMenu\.tsx$/;
    const files = filesBelow('web/src').filter(
      (file) => file.endsWith('.tsx') && /<Menu[\s>]/.test(readFileSync(join(ROOT, 'web/src', file), 'utf8')),
    );
    expect(files).toContain('ui/ButtonMenu.tsx');
    expect(files.filter((file) => !own.test(file))).toEqual([]);
  });

  test('the code shows the result of a change by its promise, since callbacks of mutate end with their component', () => {
    const files = filesBelow('web/src').filter((file) =>
      /\bmutate\([^;]*\bon(Success|Error|Settled)\b/.test(readFileSync(join(ROOT, 'web/src', file), 'utf8')),
    );
    expect(files).toEqual([]);
  });

  test('the code limits text length only by rules that count code points', () => {
    const files = filesBelow('web/src').filter((file) =>
      /\bmaxLength=/.test(readFileSync(join(ROOT, 'web/src', file), 'utf8')),
    );
    expect(files).toEqual([]);
  });

  test('only one place gives changes of money in closed months a reason, and one function of the database decides about them', () => {
    const naming = (folder: string, text: string) =>
      filesBelow(folder).filter((file) => readFileSync(join(ROOT, folder, file), 'utf8').includes(text));
    expect(naming('server/src', 'forecourt.adjustment')).toEqual(['platform/http/closed-months.ts']);
    const schema = readFileSync(join(ROOT, 'server/schema.sql'), 'utf8');
    const guards = [
      ...schema.matchAll(/CREATE TRIGGER \w+ AFTER (\w+) ON \w*\.?deals .*adjust_closed_months\(\)/g),
    ];
    expect(new Set(guards.map(([, event]) => event))).toEqual(new Set(['DELETE', 'INSERT', 'UPDATE']));
  });

  test('the code has a valid key and a summary for every route of the contract', () => {
    for (const [key, contract] of Object.entries(api)) {
      expect(key).toMatch(
        /^(GET|POST|PUT|PATCH|DELETE) \/[a-z][a-z0-9-]*(\/(:[a-zA-Z]+(\.[a-z]+)?|[a-z][a-z0-9-]*))*$/,
      );
      expect(contract.summary.length, key).toBeGreaterThan(10);
    }
  });

  test('the code cites only existing pages and headings, and no document outside the repository', () => {
    const tracked = execFileSync(
      'git',
      ['ls-files', '--', '*.ts', '*.tsx', '*.mjs', '*.css', '*.sql', '*.md'],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    );
    // Merged migrations are never edited, pages of docs/product link each other by name, and this file contains the
    // violations.
    const elsewhere = /^(server\/migrations|server\/test\/(violations|architecture)|docs\/product)\b/;
    const files = tracked
      .split('\n')
      .filter((file) => file && !elsewhere.test(file) && existsSync(join(ROOT, file)));
    expect(files.length).toBeGreaterThan(500);
    expect(wrongCitations(files)).toEqual([]);
  });

  test('the code names only existing files in docs', () => {
    const pages = execFileSync('git', ['ls-files', '--', '*.md'], { cwd: ROOT, encoding: 'utf8' });
    const path = /`((?:contract|server|web|e2e|scripts|bench)\/[\w./-]+\.(?:tsx?|mjs|sql|css))`/g;
    const named = pages
      .split('\n')
      .filter((page) => page && page !== 'CHANGELOG.md')
      .flatMap((page) => [...readFileSync(join(ROOT, page), 'utf8').matchAll(path)].map(([, file]) => file!));
    expect(named.length).toBeGreaterThan(50);
    // Placeholders of docs/developing.md.
    const placeholder = /\/(x|000N_name)\.\w+$/;
    expect(named.filter((file) => !placeholder.test(file) && !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test.each(['web/src/features/deals', 'server/src/features/deals', 'server/src/platform'])(
    'docs/architecture.md names each folder of %s',
    (folder) => {
      const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
      // From the folder's own line to the next line with a path.
      const path = folder === 'server/src/platform' ? '  platform/' : `${folder}/\n`;
      const [part] = page.slice(page.indexOf(path) + path.length).split(/\n(?:```|server\/|  features\/)/);
      const names = new Set(part!.match(/[\w-]+(?=\/)/g));
      const folders = readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) =>
        entry.isDirectory(),
      );
      expect(folders.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
    },
  );

  // Promises, method, figures and goals that are not met. What was tried is in the history.
  test.each(['performance', 'reliability'])('docs/%s.md has at most 150 lines', (page) => {
    expect(readFileSync(join(ROOT, `docs/${page}.md`), 'utf8').split('\n').length - 1).toBeLessThanOrEqual(
      150,
    );
  });

  test('the code names only exported things of existing files in docs/tour.md', () => {
    const tour = readFileSync(join(ROOT, 'docs/tour.md'), 'utf8');
    const named = [...tour.matchAll(/`([\w./-]+\.tsx?)`: `(\w+)`/g)];
    expect(named.length).toBeGreaterThan(20);
    const exported = (file: string, name: string) =>
      new RegExp(
        `^export (default )?(async )?(function\\*?|const|class|type|interface) ${name}\\b`,
        'm',
      ).test(readFileSync(join(ROOT, file), 'utf8'));
    expect(named.filter(([, file, name]) => !exported(file!, name!)).map(([found]) => found)).toEqual([]);
    const steps = tour.split('\n### ').slice(1);
    expect(steps.filter((step) => !/^Tests?: `/m.test(step) || !/`: `/.test(step))).toEqual([]);
  });

  test('the checklist for a new field names only existing things', () => {
    const page = readFileSync(join(ROOT, 'docs/developing.md'), 'utf8');
    const checklist = /^## A new field\n(.*?)^## /ms.exec(page)![1]!;
    const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
    const named = [...checklist.matchAll(/`([\w./-]+\.tsx?)`: `(\w+)`/g)];
    expect(named.length).toBeGreaterThan(5);
    expect(
      named.filter(([, file, name]) => !new RegExp(`^(export )?const ${name}\\b`, 'm').test(textOf(file!))),
    ).toEqual([]);
    // `vehicle` is a plain field that is searched, and part of the table in an email. The demo has data for it.
    const steps = checklist.match(/^\d\. .*$/gm)!.join('\n');
    const files = [...steps.matchAll(/`((?:contract|server|web|docs)\/[\w./-]+)`/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(5);
    const needed = files.filter((file) => !file.includes('000N'));
    expect(needed.filter((file) => !/\bvehicle\b/.test(textOf(file)))).toEqual([]);
    const naming = execFileSync(
      'git',
      ['grep', '-lw', 'vehicle', '--', 'contract/src', 'server/src', 'server/sql/*.sql', 'web/src'],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    );
    const others = /\.(test|fixture)\.|\/demo\/|\/texts\/(palette|figures)\.ts$/;
    expect(
      naming.split('\n').filter((file) => file && !others.test(file) && !checklist.includes(`\`${file}\``)),
    ).toEqual([]);
  });

  test('the checklist for a new kind of record names the files of items and no others that list kinds', () => {
    const page = readFileSync(join(ROOT, 'docs/developing.md'), 'utf8');
    const checklist = /^## A new kind of record\n(.*?)^## /ms.exec(page)![1]!;
    const steps = checklist.match(/^\d+\. .*$/gm)!.join('\n');
    const files = [...steps.matchAll(/`((?:contract|server|web|e2e|docs)\/[\w./-]+|CHANGELOG\.md)`/g)];
    const named = files.map(([, file]) => file!);
    expect(named.length).toBeGreaterThan(20);
    const readable = (file: string) => existsSync(join(ROOT, file)) && readFileSync(join(ROOT, file), 'utf8');
    expect(named.filter((file) => !/items?\b|Items?/.test(readable(file) || ''))).toEqual([]);
    // Three kinds that have little in common but the table of kinds.
    const kinds = ['item', 'custom-field', 'email-template'].flatMap((kind) => ['-e', `'${kind}'`]);
    const lists = execFileSync(
      'git',
      ['grep', '-l', '--all-match', ...kinds, '--', 'contract/src', 'server/src', 'web/src'],
      { cwd: ROOT, encoding: 'utf8' },
    );
    const tests = /\.(test|fixture)\./;
    expect(lists.split('\n').filter((file) => file && !tests.test(file) && !named.includes(file))).toEqual(
      [],
    );
    // Files that list the menu, by its labels or paths: a test, or the text of a picture.
    const entries = [
      "'/item-configuration'|Item Configuration",
      "'/settings/custom-fields'|Custom Fields",
      "'/email-templates'|Email Templates",
    ];
    const menus = execFileSync(
      'git',
      ['grep', '-lE', '--all-match', ...entries.flatMap((entry) => ['-e', entry]), '--'].concat([
        'contract/src',
        'server/src',
        'web/src',
        'e2e',
        'docs',
      ]),
      { cwd: ROOT, encoding: 'utf8' },
    );
    expect(menus.split('\n').filter((file) => file && !named.includes(file))).toEqual([]);
  });

  test('the code never edits a merged migration', () => {
    const merged = execFileSync(
      'git',
      ['log', '--diff-filter=A', '--format=', '--name-only', '--', 'server/migrations'],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    );
    for (const file of merged.split('\n').filter(Boolean)) {
      const edits = execFileSync('git', ['log', '--diff-filter=MD', '--format=%h', '--', file], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      expect(edits, `${file} was edited after it was merged`).toBe('');
    }
  });
});

describe('the checks detect violations', () => {
  const VIOLATIONS = join(ROOT, 'server/test/violations');
  const BIN = join(ROOT, 'node_modules/.bin');
  let copy: string;
  beforeAll(() => {
    // Copied to a folder with the project's rules, because the project's lint ignores them here.
    copy = mkdtempSync(join(tmpdir(), 'violations-'));
    cpSync(VIOLATIONS, copy, { recursive: true });
    const rules = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8'));
    writeFileSync(join(copy, '.oxlintrc.json'), JSON.stringify({ ...rules, ignorePatterns: [] }));
    writeFileSync(
      join(copy, 'tsconfig.json'),
      '{ "compilerOptions": { "strict": true }, "include": ["**/*.ts"] }',
    );
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  const lint = (...args: string[]) =>
    spawnSync(join(BIN, 'oxlint'), args, {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${BIN}:${process.env.PATH}` },
    });

  test.each([
    ['contract/src/imports-node.ts', 'contract imports zod and nothing else'],
    ['server/src/platform/imports-feature.ts', 'platform must not import features'],
    ['web/src/ui/imports-feature.ts', 'platform, ui and grid must not import features'],
    ['server/src/floating-promise.ts', 'no-floating-promises'],
    ['server/src/any.ts', 'no-explicit-any'],
    ['bench/imports-missing-name.mjs', 'import(named)'],
  ])('lint finds %s', (file, message) => {
    const { status, stdout } = lint(file);
    expect(status).toBe(1);
    expect(stdout).toContain(message);
  });

  test('lint finds functions of more than 200 lines in the product, and not in its tests', () => {
    const write = (file: string, lineCount: number): string => {
      writeFileSync(join(copy, file), `export function long() {\n${'\n'.repeat(lineCount - 2)}}\n`);
      return file;
    };
    const files = ['contract/src', 'server/src', 'web/src', 'web'].flatMap((folder) => [
      write(`${folder}/over.ts`, 201),
      write(`${folder}/at-most.ts`, 200),
      write(`${folder}/over.test.ts`, 201),
    ]);
    const found = lint('--format=unix', ...files).stdout.matchAll(/^(.+?):.*max-lines-per-function/gm);
    expect(Array.from(found, ([, file]) => file!).toSorted()).toEqual([
      'contract/src/over.ts',
      'server/src/over.ts',
      'web/over.ts',
      'web/src/over.ts',
    ]);
  });

  test.each(ACROSS)('the check of the architecture finds an import across %s', (features, endings) => {
    expect(importsAcross(join('server/test/violations', features), endings)).toHaveLength(1);
  });

  test('the check of the floors finds an import of a higher floor, a part without a floor, and files that import each other', () => {
    const folder = 'server/test/violations/web/src/features';
    const broken = `${folder}/one/imports-screen.ts imports ${folder}/other/OtherScreen.tsx, which is not below it`;
    expect(brokenFloors(folder, [['one'], ['other']])).toEqual([broken]);
    expect(brokenFloors(folder, [['one', 'other']])).toEqual([broken]);
    expect(brokenFloors(folder, [['other'], ['one']])).toEqual([]);
    expect(brokenFloors(folder, [['other']])).toEqual([`${folder}/one/imports-screen.ts has no floor`]);
    const circle: [string, string[]][] = [
      ['a', ['b']],
      ['b', ['a']],
      ['c', ['a']],
      ['d', []],
    ];
    expect(circlesOf(new Map(circle))).toEqual(['a → b', 'b → a', 'c → a']);
  });

  test('the check of the architecture finds a citation of a missing document, page or heading', () => {
    expect(wrongCitations(['server/test/violations/server/src/cites-what-is-missing.ts'])).toEqual([
      expect.stringContaining('cites spec.md'),
      expect.stringContaining('cites product section 4'),
      expect.stringContaining('cites security.md'),
      expect.stringContaining('cites docs/product/nothing.md'),
      expect.stringContaining('cites docs/product/email.md, Undo nothing'),
    ]);
  });

  test('the check of the architecture finds a wrong type, a missing route and a secret that a rotation does not cover in the type check', () => {
    // As a build, which takes the types of the rest from the last check instead of reading all of it again.
    const { status, stdout } = spawnSync(join(BIN, 'tsc'), ['-b', join(VIOLATIONS, 'tsconfig.json')], {
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stdout).toContain('wrong-type.ts');
    expect(stdout).toContain('missing-route.ts');
    expect(stdout).toContain('uncovered-secret.ts');
  });
});

import { addDeal, addDealership, addTemplate } from '@forecourt/server/test/builders';
import { seededRandom } from '@forecourt/server/test/seeded-random';
import { readMail } from '@forecourt/server/test/smtp';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenPage } from '../browser.ts';
import { DESKTOP, openMailingCompany, type MailingCompany } from './company.fixture.ts';
import { injectionTexts } from './injection-texts.ts';

const all = injectionTexts();
const ROUNDS = process.env['LONG_TESTS'] ? 300 : 12;
const LIMIT = process.env['LONG_TESTS'] ? 1_800_000 : 600_000;

/** Returns as many texts as one run takes, in random order. */
function drawn(): string[] {
  const random = seededRandom('email-injection');
  return all
    .map((text) => ({ text, place: random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, ROUNDS)
    .map(({ text }) => text);
}

const texts = drawn();
/** Each field gets another text, so that after all rounds every field has had every text. */
const textAt = (round: number, field: number): string => texts[(round + field) % texts.length]!;

let open: OpenPage;
let page: Page;
let blank: Page;
let templateId: string;
/** Ids of the rounds' deals, newest first, as the preview lists them. */
let dealIds: string[];
let actions: string[];

const caller = { call: (...made: Parameters<MailingCompany['call']>) => company.call(...made) };

const { company, browser } = await openMailingCompany({ MAIL_PER_HOUR: '10000' });
beforeAll(async () => {
  templateId = await addTemplate(caller, company.admin, template(0));
  dealIds = [];
  for (const [round] of texts.entries()) dealIds.push(await addRecords(round));
  open = await company.openAs(browser, company.admin, DESKTOP);
  page = open.page;
  actions = await recordActions(page);
  blank = await browser.newPage();
});
afterAll(async () => {
  await open?.close();
});

/** Adds a dealership with one contact and a deal, all with texts of the draw. Returns the deal's id. */
async function addRecords(round: number): Promise<string> {
  const { admin } = company;
  const dealershipId = await addDealership(caller, admin, {
    name: textAt(round, 3),
    address: textAt(round, 4),
    defaultEmailTemplateId: company.templateId,
    contacts: [
      {
        name: textAt(round, 5),
        email: `contact${round}@dealer.example`,
        templateName: 'Daily',
        includeInTo: true,
        includeInCc: false,
        active: true,
      },
    ],
  });
  const fields = {
    customerName: textAt(round, 0),
    vehicle: textAt(round, 1),
    notes: `${textAt(round, 2)}\n${textAt(round, 6)}`,
    dealNumber: `[${round}]`,
  };
  return (await addDeal(caller, admin, dealershipId, fields))._id;
}

const LINKED = [
  'deal.customerName',
  'deal.vehicle',
  'deal.notes',
  'deal.dealNumber',
  'dealership.name',
  'dealership.address',
  'contact.name',
  'sender.name',
] as const;

/** Returns the template of a round with all fields of a deal; its body and defaults contain `more`. */
function template(round: number, more: readonly string[] = []) {
  const written = [textAt(round, 7), ...more].map(withoutPlaceholders);
  const variable = (key: string, linkedData: string | null, defaultValue: string) => ({
    key,
    label: defaultValue.slice(0, 80) || key,
    category: 'other',
    defaultValue,
    description: defaultValue,
    linkedData,
    required: false,
  });
  const variables = [
    ...LINKED.map((field, index) => variable(`f${index}`, field, '')),
    // A template has at most 200.
    ...written.slice(0, 150).map((text, index) => variable(`d${index}`, null, text)),
  ];
  const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
  const blocks = [
    ...variables.map(({ key }) => paragraph({ type: 'variable', key })),
    ...LINKED.map((_, index) => paragraph({ type: 'text', text: `»{{f${index}}}«` })),
    ...written.map((text) => paragraph({ type: 'text', text })),
    paragraph({ type: 'text', text: written[0]!, marks: [link('https://x.example/?f0')] }),
  ];
  return {
    name: textAt(round, 8),
    subject: `${withoutPlaceholders(textAt(round, 9))} {{f0}}`,
    status: 'active',
    document: { blocks },
    variables,
  };
}

/** A template with unknown placeholders cannot be active; values of a deal may have them. */
const withoutPlaceholders = (text: string): string => text.replaceAll('{{', '{ {');

const link = (href: string) => ({ type: 'link', href });

/** Paths that our pages request themselves. */
const OWN_PATHS = /^\/(api\/|assets\/|start\.js$|favicon\.svg$)/;

/** Returns everything a page did that none of our pages does. */
async function recordActions(subject: Page): Promise<string[]> {
  const actions: string[] = [];
  await subject.exposeFunction('ran', (index: number) => actions.push(`ran ${index}`));
  subject.on('dialog', (dialog) => {
    // The unsaved template asks before leaving, as it should.
    if (dialog.type() !== 'beforeunload') actions.push(`dialog ${dialog.message()}`);
    // A dialog of a closing page disappears with it.
    dialog.accept().catch(() => {});
  });
  subject.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    const isOurs = origin === company.server.url && OWN_PATHS.test(pathname);
    if (!isOurs && !request.isNavigationRequest()) actions.push(`request ${request.url()}`);
    if (request.isNavigationRequest() && request.frame() !== subject.mainFrame())
      actions.push(`navigation ${request.url()}`);
  });
  return actions;
}

test('there are enough texts, and they act if nothing prevents it', async () => {
  expect(new Set(all.map((text) => text.replace(/\d+/g, ''))).size).toBeGreaterThanOrEqual(250);
  const bare = await browser.newPage();
  const seen = await recordActions(bare);
  const plain = all.filter((text) => /^<(img|svg|iframe|details|embed)/.test(text)).slice(0, 20);
  const html = plain.map((text) => `<div>${text}</div>`).join('');
  await bare.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await bare.route('http://bare.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: html }),
  );
  await bare.goto('http://bare.example/', { waitUntil: 'commit' });
  for (const kind of ['ran', 'dialog', 'request']) {
    await expect.poll(() => seen.some((deed) => deed.startsWith(kind))).toBe(true);
  }
  await bare.close();
});

test('a link address that is not plain is refused, with the field named', async () => {
  const { body } = await company.call(`GET /email-templates/${templateId}`);
  for (const text of texts) {
    for (const href of [text, `https://x.example/${text}`]) {
      const document = {
        blocks: [{ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [link(href)] }] }],
      };
      const response = await company.call('POST /email-templates/preview', {
        body: { template: { name: body.name, subject: 'x', document, variables: [] } },
      });
      if (/^https:\/\/[^\s"<>]+$/.test(href)) expect(response.status, href).toBe(200);
      else expect(JSON.stringify([response.status, response.body.errors]), href).toMatch(/^\[400.*document/);
    }
  }
});

test(
  'an administrator views every text in every field: no script runs, nothing is requested',
  { timeout: LIMIT },
  async () => {
    const body = page.frameLocator('iframe[title="The message"]');
    const preview = async (id: string) => {
      await page.goto(`${company.server.url}/email-templates/${id}/edit`);
      await page.getByText('Preview', { exact: true }).click();
      await body.getByText(`»[${texts.length - 1}]«`).waitFor();
    };
    const long = { ...template(0, texts), name: 'Long' };
    await preview(await addTemplate(caller, company.admin, long));
    await expect.poll(() => body.locator('p').allTextContents()).toEqual(expect.arrayContaining(texts));
    expect(actions).toEqual([]);
    await preview(templateId);
    for (const round of texts.keys()) {
      const newest = texts.length - 1 - round;
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(textAt(round, 8));
      await page.getByRole('textbox', { name: 'Subject' }).fill(textAt(round, 9));
      await company.call(`PUT /users/${company.admin.id}`, { body: { name: textAt(round, 10) } });
      if (round > 0) await page.keyboard.press('Alt+PageDown');
      await body.getByText(`»[${newest}]«`).waitFor();
      expect(actions, `round ${round}`).toEqual([]);
    }
    await expect
      .poll(() => body.locator('script, img, svg, iframe, object, embed, form, input').count())
      .toBe(0);
    // Anything that the browser blocked is in its console.
    open.checkConsole();
  },
);

/** Parses a message as a browser does, without running it. */
const parsed = (html: string) =>
  blank.evaluate((source) => {
    const document = new DOMParser().parseFromString(source, 'text/html');
    const elements = [...document.querySelectorAll('*')];
    return {
      /** Each kind of element with its attributes, without line breaks. */
      shapes: [
        ...new Set(elements.map((element) => [element.localName, ...element.getAttributeNames()].join(' '))),
      ]
        .filter((shape) => shape !== 'br')
        .sort(),
      links: [...document.querySelectorAll('a')].map((anchor) => anchor.getAttribute('href') ?? ''),
      paragraphs: [...document.querySelectorAll('p')].map((paragraph) => {
        for (const lineBreak of paragraph.querySelectorAll('br')) lineBreak.replaceWith('\n');
        return paragraph.textContent ?? '';
      }),
      title: document.title,
    };
  }, html);

test('a real mail server receives every text as text, in body and headers', { timeout: LIMIT }, async () => {
  await company.call(`PUT /users/${company.admin.id}`, { body: { name: 'Ada Admin' } });
  const textFields = new Set(['name', 'subject', 'text', 'label', 'description', 'defaultValue']);
  const plain = JSON.parse(JSON.stringify(template(0)), (key, value) => (textFields.has(key) ? 'x' : value));
  const harmless = await company.call('POST /email-templates/preview', {
    body: { template: plain, dealId: company.deals[0]!._id },
  });
  const expected = (await parsed(harmless.body.html)).shapes;
  for (const [round, dealId] of dealIds.entries()) {
    const saved = template(round);
    await company.call(`PUT /users/${company.admin.id}`, { body: { name: textAt(round, 10) } });
    expect((await company.call(`PUT /email-templates/${templateId}`, { body: saved })).status).toBe(200);
    const body = { dealId, again: true };
    // Sent, or still queued on a slow machine.
    const { status } = await company.call(`POST /email-templates/${templateId}/send`, { body });
    expect([200, 202]).toContain(status);
    await company.mail.whenArrived(round + 1);
    const message = await readMail(company.mail.accepted[round]!);
    const { shapes, links, paragraphs, title } = await parsed(message.html ?? '');
    expect(shapes).toEqual(expected);
    expect(links).toEqual(['https://x.example/?f0']);
    const fields = [textAt(round, 0), textAt(round, 1), `${textAt(round, 2)}\n${textAt(round, 6)}`];
    const others = [`[${round}]`, ...[3, 4, 5, 10].map((field) => textAt(round, field))];
    expect(paragraphs.slice(0, LINKED.length)).toEqual([...fields, ...others]);
    const written = withoutPlaceholders(textAt(round, 7));
    expect(paragraphs.filter((text) => text === written)).toHaveLength(3);
    const subject = saved.subject.replace('{{f0}}', textAt(round, 0)).replace(/\s+/g, ' ').trim();
    expect(message.subject).toBe(subject);
    expect(title).toBe(subject);
    expect(message.from).toMatchObject({
      name: textAt(round, 10).replaceAll('\t', ' '),
      address: company.admin.email,
    });
    expect(company.mail.accepted[round]!.envelope.to).toEqual([`contact${round}@dealer.example`]);
  }
});

test('the other screens show the texts as text', async () => {
  const newest = company.mail.accepted.length - 1;
  for (const path of [
    '/email-templates',
    '/settings/dealerships',
    '/data-entry',
    '/email-templates/history',
  ]) {
    await page.goto(`${company.server.url}${path}`);
    await page
      .getByText(textAt(newest, path === '/email-templates' ? 8 : 3))
      .first()
      .waitFor();
  }
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.frameLocator('iframe').getByText(`»[${newest}]«`).waitFor();
  expect(actions).toEqual([]);
  open.checkConsole();
});

import { dealColumns } from '@forecourt/contract/deal-fields';
import { NewDeal } from '@forecourt/contract/deals';
import { FixedLink } from '@forecourt/contract/email-templates';
import { afterAll, describe, expect, test } from 'vitest';
import type { Person } from '../../../test/app.ts';
import { addDeal, addDealership, addTemplate } from '../../../test/builders.ts';
import { contact, openOffice } from './office.fixture.ts';
import { LONGEST_DEAL } from './sample-values.ts';

const office = await openOffice();
const { server, admin, clerk, templateId, dealId, preview } = office;
afterAll(() => office.close());

describe('the preview', () => {
  test('the preview of an email requires a session and canViewEmailPreview', async () => {
    expect((await server.call('POST /email-templates/preview', { body: {} })).status).toBe(401);
    const blind = await server.person({ permissions: { dataEntry: { canViewEmailPreview: false } } });
    expect((await preview({ templateId, dealId }, blind.token)).status).toBe(403);
  });

  test('the preview of an email shows the message, its recipients and its sender', async () => {
    expect(await preview({ templateId, dealId })).toMatchObject({
      status: 200,
      body: {
        templateName: 'Daily',
        from: { name: 'Cleo Clerk', email: clerk.email },
        to: [{ name: 'Sam', email: 'sam@dealer.example' }],
        cc: [{ name: 'Pat', email: 'pat@dealer.example' }],
        subject: 'About Ann <b>Example',
        html: expect.stringContaining('Dear Ann &lt;b&gt;Example'),
        text: 'Dear Ann <b>Example\n',
        problems: [],
        emptyVariables: [],
      },
    });
  });

  test('the preview of an email lists all problems', async () => {
    const lonely = await server.person({ name: 'Lone Ly' });
    const { body } = await preview({ templateId }, admin.token);
    expect(body.subject).toBe('About [Customer]');
    expect(body.problems).toEqual([
      'Choose the deal or the dealership that this is about.',
      'Customer has no value.',
    ]);
    expect((await preview({ templateId, dealId }, lonely.token)).body).toMatchObject({
      from: null,
      problems: [expect.stringContaining('mail server is not configured')],
    });
  });

  test('the preview of an email of a template being edited is for users who may edit templates', async () => {
    const template = { name: 'New', subject: 'Hi {{who}} {{nope}}', document: { blocks: [] }, variables: [] };
    expect((await preview({ template, dealId })).status).toBe(403);
    const manager = await server.person({ permissions: { features: { manageTemplates: true } } });
    expect((await preview({ template, dealId }, manager.token)).body).toMatchObject({
      templateName: 'New',
      subject: 'Hi {{who}} {{nope}}',
      to: [{ name: 'Sam' }, { name: 'Wendy' }],
    });
    expect(await preview({}, manager.token)).toMatchObject({
      status: 400,
      body: { errors: { templateId: 'Choose a template' } },
    });
  });

  test('the address of the dealership requires access to it; data is limited to the sender’s permissions', async () => {
    const variables = [
      {
        key: 'where',
        label: 'Where',
        category: 'dealership',
        defaultValue: 'unknown',
        description: '',
        linkedData: 'dealership.address',
        required: false,
      },
    ];
    const id = await addTemplate(server, admin, {
      name: 'Weekly 2',
      subject: 'x {{where}}',
      document: { blocks: [] },
      variables,
    });
    const there = await addDealership(server, admin, {
      name: 'Addressed',
      defaultEmailTemplateId: id,
      contacts: [contact('Sue', { templateName: 'Weekly 2' })],
    });
    expect((await preview({ templateId: id, dealershipId: there }, admin.token)).body.subject).toContain(
      '1 Pier Street',
    );
    expect((await preview({ templateId: id, dealershipId: there })).body.subject).toBe('x unknown');
  });

  test('the preview of an email contains the custom fields that its sender sees', async () => {
    const addField = async (body: object) =>
      (await server.call('POST /custom-fields', { token: admin.token, body })).body.key as string;
    const lender = await addField({ name: 'Lender', type: 'select', options: [{ name: 'ANZ' }] });
    const margin = await addField({ name: 'Margin', type: 'percent', visibleTo: 'administrators' });
    const { dealershipId } = (await server.call(`GET /deals/${dealId}`, { token: admin.token })).body;
    const { _id } = await addDeal(server, admin, dealershipId, { custom: { [lender]: 'o1', [margin]: 7.5 } });
    const template = {
      name: 'Fields',
      subject: '{{lender}} at {{margin}}',
      document: { blocks: [] },
      variables: [lender, margin].map((key, index) => ({
        key: ['lender', 'margin'][index],
        label: key,
        category: 'deal',
        defaultValue: 'none',
        description: '',
        linkedData: `deal.${key}`,
        required: false,
      })),
    };
    const subjectFor = async (by: Person) =>
      (await preview({ template, dealId: _id }, by.token)).body.subject;
    expect(await subjectFor(admin)).toBe('ANZ at 7.5%');
    const manager = await server.person({ permissions: { features: { manageTemplates: true } } });
    expect(await subjectFor(manager)).toBe('ANZ at none');
    const unknown = [{ ...template.variables[0], linkedData: 'deal.customers' }];
    expect(
      await preview({ template: { ...template, variables: unknown }, dealId: _id }, admin.token),
    ).toMatchObject({
      status: 400,
    });
  });

  test('the preview of an email names optional variables in the message without a value', async () => {
    const names = ['subject', 'body', 'given', 'defaulted', 'condition', 'inside', 'unused', 'required'];
    const template = {
      name: 'Gaps',
      subject: 'For {{subject}}',
      document: {
        blocks: [
          { type: 'paragraph', content: [{ type: 'variable', key: 'body' }] },
          { type: 'paragraph', content: [{ type: 'text', text: '{{given}}{{defaulted}}{{required}}' }] },
          {
            type: 'conditional',
            key: 'condition',
            blocks: [{ type: 'paragraph', content: [{ type: 'text', text: '{{inside}}' }] }],
          },
        ],
      },
      variables: names.map((key) => ({
        key,
        label: `The ${key}`,
        category: 'deal',
        defaultValue: key === 'defaulted' ? 'x' : '',
        description: '',
        linkedData: key === 'given' ? null : 'deal.vehicle',
        required: key === 'required',
      })),
    };
    const { body } = await preview({ template, dealId, variables: { given: 'y' } }, admin.token);
    expect(body).toMatchObject({
      emptyVariables: ['The subject', 'The body'],
      problems: [expect.stringContaining('is a draft'), expect.stringContaining('The required has no value')],
    });
  });

  describe('of every field of a deal', () => {
    const links = FixedLink.options.filter((link) => link.startsWith('deal.'));
    const template = {
      name: 'Everything',
      subject: 'x',
      document: {
        blocks: links.map((_, index) => ({
          type: 'heading',
          level: 2,
          content: [{ type: 'text', text: `${links[index]}={{v${index}}}` }],
        })),
      },
      variables: links.map((linkedData, index) => ({
        key: `v${index}`,
        label: linkedData,
        category: 'deal',
        defaultValue: '',
        description: '',
        linkedData,
        required: false,
      })),
    };
    const readAs = async ({ token }: Person, id: string) => {
      const { body } = await preview({ template, dealId: id }, token);
      return new Map(
        (body.text as string)
          .trim()
          .split('\n\n')
          .map((line) => line.split('=', 2) as [string, string]),
      );
    };
    const without = (columns: readonly string[]) => {
      const visibleColumns = dealColumns.filter((column) => !columns.includes(column));
      const columnVisibility = { viewAllColumns: false, visibleColumns };
      return server.person({
        permissions: { features: { manageTemplates: true }, dataEntry: { columnVisibility } } as never,
      });
    };

    test('the preview of every field of a deal has the text of each, except of columns hidden from the sender', async () => {
      const item = await server.call('POST /item-configurations', {
        token: admin.token,
        body: { name: 'Tint', price: 400, cost: 120 },
      });
      await server.call('PUT /settings/user/company/commission.newSales', {
        token: admin.token,
        body: { value: 10 },
      });
      const deal = await addDeal(server, admin, office.dealershipId, {
        customerName: 'Bob',
        customerNumber: '(0412) 345 678',
        customerEmail: 'bob@example.com',
        dealNumber: 'D-1',
        vehicle: 'Corolla',
        deliveryDate: '2026-12-01',
        items: [{ itemId: item.body._id, quantity: 2 }],
        costAmount: 240,
        notes: 'Call first',
        followUpAt: '2026-11-20T22:30:00.000Z',
        month: '2026-11',
      });
      const seen = await readAs(admin, deal._id);
      expect(Object.fromEntries(seen)).toMatchObject({
        'deal.items': '2 x Tint',
        'deal.itemsWithPrices': '2 x Tint ($400.00 each)',
        'deal.saleAmount': '$800.00',
        'deal.costAmount': '$240.00',
        'deal.grossProfit': '$560.00',
        'deal.commissionRate': '10%',
        'deal.commission': '$80.00',
        'deal.followUpAt': '21 November 2026 at 9:30 am',
        'deal.owner': 'Ada Admin',
        'deal.month': 'November 2026',
        'deal.createdAt': expect.stringMatching(/ \d{4} at /),
        'deal.lastEmailedAt': '',
      });

      const money = ['items', 'costAmount', 'grossProfit', 'commissionRate', 'commission', 'owner'];
      const clueless = await readAs(await without(money), deal._id);
      const hidden = links.filter((link) => money.some((column) => link.startsWith(`deal.${column}`)));
      expect(hidden).toHaveLength(8);
      for (const link of links) {
        expect(clueless.get(link), link).toBe(hidden.includes(link) ? '' : seen.get(link));
      }
    });
  });

  describe('of the extreme cases', () => {
    const linked = [
      'deal.customerName',
      'deal.vehicle',
      'deal.saleAmount',
      'deal.deliveryDate',
      'today',
      null,
    ];
    const variables = linked.map((linkedData, index) => ({
      key: `v${index}`,
      label: `Value ${index}`,
      category: 'other',
      defaultValue: index === 5 ? 'by default' : '',
      description: '',
      linkedData,
      required: index === 1,
    }));
    const template = {
      name: 'Worst',
      subject: 'x {{v0}}',
      document: {
        blocks: [
          {
            type: 'paragraph',
            content: variables.map(({ key }) => ({ type: 'text', text: `[${key}={{${key}}}]` })),
          },
        ],
      },
      variables,
    };

    test('the preview of the extreme cases has every field at its maximum length, for any owner', async () => {
      const { status, body } = await preview({ template, dealId, sample: 'longest' }, admin.token);
      expect(status).toBe(200);
      expect(body.to).toEqual([
        { name: 'Sam', email: 'sam@dealer.example' },
        { name: 'Wendy', email: 'wendy@dealer.example' },
      ]);
      expect(body.text).not.toContain('Ann');
      expect(body.text).toContain('[v2=$9,999,999,999.99][v3=30 September 2099]');
      expect(/v0=([^\]]*)/.exec(body.text)![1]).toHaveLength(120);
      expect(/v5=([^\]]*)/.exec(body.text)![1]).toHaveLength(2000);
      expect(body.subject).toHaveLength(122);
    });

    test('the preview of the extreme cases has no optional values, and lists the resulting problems', async () => {
      const { body } = await preview({ template, dealId, sample: 'empty' }, admin.token);
      expect(body.text).toMatch(
        /^\[v0=\]\[v1=\[Value 1\]\]\[v2=\]\[v3=\]\[v4=\d+ \w+ \d{4}\]\[v5=by default\]\n$/,
      );
      expect(body.problems).toContain('Value 1 has no value.');
    });

    test('the preview of the extreme cases is not sent', async () => {
      expect(await office.send({ dealId, sample: 'longest' })).toMatchObject({
        status: 400,
        body: { errors: { sample: 'Unknown field' } },
      });
    });

    test('the preview of the extreme cases has exactly the maximum lengths of the contract', () => {
      for (const [field, value] of Object.entries(LONGEST_DEAL)) {
        const schema = NewDeal.shape[field as keyof typeof LONGEST_DEAL];
        expect(schema.safeParse(value).success, field).toBe(true);
        const isBounded = !['customerNumber', 'customerEmail', 'deliveryDate'].includes(field);
        const more = typeof value === 'number' ? value + 0.01 : `${value}x`;
        if (isBounded) expect(schema.safeParse(more).success, field).toBe(false);
      }
    });
  });
});

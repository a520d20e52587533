import { NewDeal } from '@forecourt/contract/deals';
import { afterAll, describe, expect, test } from 'vitest';
import { addDealership, addTemplate } from '../../../test/builders.ts';
import { contact, openOffice } from './office.fixture.ts';
import { LONGEST_DEAL } from './sample-values.ts';

const office = await openOffice();
const { server, admin, clerk, templateId, dealId, preview } = office;
afterAll(() => office.close());

describe('the preview', () => {
  test('needs a session and canViewEmailPreview', async () => {
    expect((await server.call('POST /email-templates/preview', { body: {} })).status).toBe(401);
    const blind = await server.person({ permissions: { dataEntry: { canViewEmailPreview: false } } });
    expect((await preview({ templateId, dealId }, blind.token)).status).toBe(403);
  });

  test('shows what would go out, to whom and from whom', async () => {
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
      },
    });
  });

  test('says everything that is in the way', async () => {
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

  test('of a template that is being written is for those who may write one', async () => {
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

  test('the address of the dealership needs the right to see dealerships; data keeps to the rights of the sender', async () => {
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

  describe('of the worst case', () => {
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

    test('has every field as long as it can be, whoever the deal is of', async () => {
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

    test('has no value where there may be none, and says what is then in the way', async () => {
      const { body } = await preview({ template, dealId, sample: 'empty' }, admin.token);
      expect(body.text).toMatch(
        /^\[v0=\]\[v1=\[Value 1\]\]\[v2=\]\[v3=\]\[v4=\d+ \w+ \d{4}\]\[v5=by default\]\n$/,
      );
      expect(body.problems).toContain('Value 1 has no value.');
    });

    test('is not sent', async () => {
      expect(await office.send({ dealId, sample: 'longest' })).toMatchObject({
        status: 400,
        body: { errors: { sample: 'Unknown field' } },
      });
    });

    test('is what the contract takes, and not a character more', () => {
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

import { afterAll, describe, expect, test } from 'vitest';
import { addDealership, addTemplate } from '../../../test/builders.ts';
import { contact, openOffice } from './office.fixture.ts';

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
});

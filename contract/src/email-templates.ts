import { z } from 'zod';
import {
  Ability,
  Id,
  IdParams,
  Instant,
  Version,
  plainText,
  typedText,
  wholeList,
  type RouteTable,
} from './route.ts';

export const TemplateStatus = z.enum(['draft', 'active']);
export type TemplateStatus = z.infer<typeof TemplateStatus>;

/**
 * Where a variable's value comes from when it is not given with the send. The part before the dot names the
 * record; the sender's own rights decide whether it may be read (product.md section 6).
 */
export const LinkedData = z.enum([
  'deal.customerName',
  'deal.customerNumber',
  'deal.customerEmail',
  'deal.dealNumber',
  'deal.vehicle',
  'deal.deliveryDate',
  'deal.saleAmount',
  'deal.status',
  'deal.notes',
  'dealership.name',
  'dealership.address',
  'contact.name',
  'sender.name',
  'sender.email',
  'company.name',
  'today',
]);
export type LinkedData = z.infer<typeof LinkedData>;

/** The name of a variable between `{{` and `}}`. */
export const VariableKey = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9]{0,39}$/, 'A key starts with a letter and has at most 40 letters and digits');

export const TemplateVariable = z.strictObject({
  key: VariableKey,
  label: typedText(80),
  category: z.enum(['deal', 'dealership', 'contact', 'sender', 'company', 'other']),
  defaultValue: typedText(500),
  description: typedText(300),
  linkedData: LinkedData.nullable(),
  required: z.boolean(),
});
export type TemplateVariable = z.infer<typeof TemplateVariable>;

/** The text formats that a run of characters can carry. */
const Mark = z.union([
  z.strictObject({ type: z.enum(['bold', 'italic', 'underline', 'strike']) }),
  z.strictObject({
    type: z.literal('link'),
    href: plainText(2010).regex(/^(https?:\/\/|mailto:|tel:)[^\s"<>]{1,2000}$/i),
  }),
]);

const Text = z.strictObject({
  type: z.literal('text'),
  text: plainText(20_000).min(1),
  marks: z.array(Mark).max(5).optional(),
});
const Variable = z.strictObject({
  type: z.literal('variable'),
  key: VariableKey,
  marks: z.array(Mark).max(5).optional(),
});
const LineBreak = z.strictObject({ type: z.literal('lineBreak') });
const Inline = z.discriminatedUnion('type', [Text, Variable, LineBreak]);
export type Inline = z.infer<typeof Inline>;

const inlines = z.array(Inline).max(2000);
const Paragraph = z.strictObject({ type: z.literal('paragraph'), content: inlines });
const Heading = z.strictObject({
  type: z.literal('heading'),
  level: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  content: inlines,
});
const List = z.strictObject({
  type: z.enum(['bulletList', 'orderedList']),
  items: z.array(z.strictObject({ content: inlines })).max(200),
});
const Rule = z.strictObject({ type: z.literal('rule') });
const Block = z.union([Paragraph, Heading, List, Rule]);
export type Block = z.infer<typeof Block>;

/**
 * The body of a template: a document, never HTML and never a language. What is not in these shapes cannot be
 * stored, so nothing has to be cleaned away later.
 */
export const TemplateDocument = z.strictObject({ blocks: z.array(Block).max(500) });
export type TemplateDocument = z.infer<typeof TemplateDocument>;

/** A subject line: text with `{{key}}` in it, replaced once and never read again. */
const Subject = typedText(200);

export const EmailTemplate = z.strictObject({
  _id: Id,
  id: Id,
  name: z.string(),
  subject: z.string(),
  status: TemplateStatus,
  document: TemplateDocument,
  variables: z.array(TemplateVariable),
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
  abilities: z.strictObject({ edit: Ability, delete: Ability }),
});
export type EmailTemplate = z.infer<typeof EmailTemplate>;

export const EmailTemplateInput = z.strictObject({
  name: typedText(120).refine((text) => text !== '', 'Template name is required'),
  subject: Subject.refine((text) => text !== '', 'Subject is required'),
  status: TemplateStatus.default('draft'),
  document: TemplateDocument,
  variables: z.array(TemplateVariable).max(200, 'At most 200 variables'),
  version: Version.optional(),
});
export type EmailTemplateInput = z.infer<typeof EmailTemplateInput>;

/** What a list of templates shows and what choosing one needs: no bodies. */
export const EmailTemplateSummary = EmailTemplate.omit({ document: true, variables: true });
export type EmailTemplateSummary = z.infer<typeof EmailTemplateSummary>;

/** A saved state of a template. Every save is one. */
const TemplateVersion = z.strictObject({
  id: Id,
  version: Version,
  createdAt: Instant,
  createdBy: z.string(),
  name: z.string(),
  subject: z.string(),
});

const Addressee = z.strictObject({ name: z.string(), email: z.string() });
export type Addressee = z.infer<typeof Addressee>;

/** A message as it would go out now, and what is in the way of sending it. */
export const Preview = z.strictObject({
  templateName: z.string(),
  from: Addressee.nullable(),
  to: z.array(Addressee),
  cc: z.array(Addressee),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  /** Sentences that say why it cannot be sent; empty when it can. */
  problems: z.array(z.string()),
});
export type Preview = z.infer<typeof Preview>;

export const emailTemplateRoutes = {
  'GET /email-templates': {
    summary: 'The templates that the caller may use',
    response: wholeList(EmailTemplateSummary),
  },
  'GET /email-templates/:id': { summary: 'One template', params: IdParams, response: EmailTemplate },
  'GET /email-templates/:id/versions': {
    summary: 'The saved states of a template, newest first',
    params: IdParams,
    response: wholeList(TemplateVersion),
  },
  'POST /email-templates': {
    summary: 'Adds a template',
    body: EmailTemplateInput,
    computed: ['_id', 'id', 'createdAt', 'updatedAt', 'abilities', 'versions'],
    status: 201,
    response: EmailTemplate,
  },
  'PUT /email-templates/:id': {
    summary: 'Changes a template; a draft becomes active here',
    params: IdParams,
    body: EmailTemplateInput,
    computed: ['_id', 'id', 'createdAt', 'updatedAt', 'abilities', 'versions'],
    response: EmailTemplate,
  },
  'DELETE /email-templates/:id': {
    summary: 'Deletes a template that no dealership uses',
    params: IdParams,
    status: 204,
  },
} as const satisfies RouteTable;

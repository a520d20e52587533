import { z } from 'zod';
import { isCustomLink, type CustomLink } from './custom-field-types.ts';
import { IMAGE_WIDTH } from './image-limits.ts';
import {
  Ability,
  Id,
  IdParams,
  Instant,
  Version,
  list,
  plainText,
  queryNumber,
  stored,
  typedText,
  wholeList,
  wholeNumber,
  type RouteTable,
} from './route.ts';
import {
  ShareLevel,
  TransferBody,
  bulkShareBody,
  owned,
  sharingBody,
  sharingEntry,
  sharingInput,
} from './sharing.ts';
import { LINK_ADDRESS, MAX_TABLE_COLUMNS, MAX_TABLE_ROWS, VARIABLE_KEY } from './template-limits.ts';
import { fixedLinks } from './variable-links.ts';

export const TemplateStatus = z.enum(['draft', 'active']);
export type TemplateStatus = z.infer<typeof TemplateStatus>;

export const FixedLink = z.enum(fixedLinks);

const CustomFieldLink = z
  .string()
  .refine(isCustomLink, 'Must be a field that variables can be linked to') as unknown as z.ZodType<
  CustomLink,
  CustomLink
>;

export const LinkedData = z.union([FixedLink, CustomFieldLink]);
export type LinkedData = z.infer<typeof LinkedData>;

export const MAX_VARIABLES = 200;

/** The name of a variable between `{{` and `}}`. */
export const VariableKey = z
  .string()
  .regex(VARIABLE_KEY, 'A key starts with a letter and has at most 40 letters and digits');

export const TemplateVariable = z.strictObject({
  key: VariableKey,
  label: typedText(80),
  category: z.enum(['deal', 'deals', 'dealership', 'contact', 'sender', 'company', 'other']),
  defaultValue: typedText(500),
  description: typedText(300),
  linkedData: LinkedData.nullable(),
  required: z.boolean().default(false),
});
export type TemplateVariable = z.infer<typeof TemplateVariable>;

const LinkAddress = plainText(2010).regex(LINK_ADDRESS);

const Mark = z.union([
  z.strictObject({ type: z.enum(['bold', 'italic', 'underline', 'strike']) }),
  z.strictObject({ type: z.literal('link'), href: LinkAddress }),
]);

const Text = z.strictObject({
  type: z.literal('text'),
  text: plainText(20_000).min(1),
  marks: list(Mark, 5).optional(),
});
const Variable = z.strictObject({
  type: z.literal('variable'),
  key: VariableKey,
  marks: list(Mark, 5).optional(),
});
const LineBreak = z.strictObject({ type: z.literal('lineBreak') });
const Inline = z.discriminatedUnion('type', [Text, Variable, LineBreak]);
export type Inline = z.infer<typeof Inline>;

const inlines = list(Inline, 2000);
const Paragraph = z.strictObject({ type: z.literal('paragraph'), content: inlines });
const Heading = z.strictObject({
  type: z.literal('heading'),
  level: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  content: inlines,
});
const List = z.strictObject({
  type: z.enum(['bulletList', 'orderedList']),
  items: list(z.strictObject({ content: inlines }), 200),
});
const Rule = z.strictObject({ type: z.literal('rule') });
const Button = z.strictObject({
  type: z.literal('button'),
  href: LinkAddress,
  content: list(
    z.discriminatedUnion('type', [Text.omit({ marks: true }), Variable.omit({ marks: true })]),
    50,
  ),
});
const Table = z
  .strictObject({
    type: z.literal('table'),
    hasHeader: z.boolean(),
    rows: list(
      z.strictObject({
        cells: list(
          z.strictObject({ content: inlines }),
          MAX_TABLE_COLUMNS,
          `A table has at most ${MAX_TABLE_COLUMNS} columns`,
        ).min(1),
      }),
      MAX_TABLE_ROWS,
      `A table has at most ${MAX_TABLE_ROWS} rows`,
    ).min(1),
  })
  .refine(({ rows }) => rows.every(({ cells }) => cells.length === rows[0]?.cells.length), {
    path: ['rows'],
    message: 'All rows must have the same number of cells',
  });
/** `width` is in pixels; the image shrinks if the text column is narrower. */
export const Image = z.strictObject({
  type: z.literal('image'),
  imageId: Id,
  alt: typedText(300).refine((text) => text !== '', 'An image needs a description'),
  width: wholeNumber(
    IMAGE_WIDTH.min,
    IMAGE_WIDTH.max,
    `Enter a whole number from ${IMAGE_WIDTH.min} to ${IMAGE_WIDTH.max}`,
  ),
});

const simpleBlocks = [Paragraph, Heading, List, Rule, Button, Table, Image] as const;
const SimpleBlock = z.discriminatedUnion('type', simpleBlocks);
export type SimpleBlock = z.infer<typeof SimpleBlock>;

/** Rendered only if the variable has a value. A conditional cannot contain another one. */
const Conditional = z.strictObject({
  type: z.literal('conditional'),
  key: VariableKey,
  blocks: list(SimpleBlock, 100),
});
const Block = z.discriminatedUnion('type', [...simpleBlocks, Conditional]);
export type Block = z.infer<typeof Block>;

/**
 * The body of a template is a document, neither HTML nor a template language. Other content cannot be stored, so
 * rendering needs no sanitiser.
 */
export const TemplateDocument = z.strictObject({ blocks: list(Block, 500) });
export type TemplateDocument = z.infer<typeof TemplateDocument>;

/** A subject line. Each `{{key}}` is replaced once; the result is not parsed again. */
const Subject = typedText(200);

/** A saved version of a template. Every save creates one. */
const TemplateVersion = z.strictObject({
  id: Id,
  version: Version,
  createdAt: Instant,
  createdBy: z.string(),
  name: z.string(),
  subject: z.string(),
  /** The version whose content this version restored; null for an edit. */
  restoredFrom: Version.nullable(),
});
export type TemplateVersion = z.infer<typeof TemplateVersion>;

export const EmailTemplate = z.strictObject({
  _id: Id,
  id: Id,
  name: z.string(),
  subject: z.string(),
  status: TemplateStatus,
  document: TemplateDocument,
  variables: z.array(TemplateVariable),
  /** Newest first. */
  versions: z.array(TemplateVersion.pick({ id: true, version: true, createdAt: true })),
  ...owned,
  sharedWith: z.array(sharingEntry(ShareLevel)),
  ...stored,
  abilities: z.strictObject({ edit: Ability, delete: Ability, share: Ability, transfer: Ability }),
});
export type EmailTemplate = z.infer<typeof EmailTemplate>;

export const EmailTemplateInput = z.strictObject({
  name: typedText(120).refine((text) => text !== '', 'Template name is required'),
  subject: Subject.refine((text) => text !== '', 'Subject is required'),
  status: TemplateStatus.default('draft'),
  document: TemplateDocument,
  variables: list(TemplateVariable, MAX_VARIABLES, `At most ${MAX_VARIABLES} variables`),
  version: Version.optional(),
});
export type EmailTemplateInput = z.infer<typeof EmailTemplateInput>;

const sharing = { sharedWith: sharingInput(ShareLevel).optional() };

/** A template can be shared when it is created. A draft may have no body. */
const NewEmailTemplate = EmailTemplateInput.extend({ document: TemplateDocument.optional(), ...sharing });
export type NewEmailTemplate = z.infer<typeof NewEmailTemplate>;

/**
 * A caller without the right to share may send `sharedWith` back unchanged. A changed owner is refused (POST
 * /email-templates/transfer-ownership).
 */
const EmailTemplateChanges = EmailTemplateInput.extend({ owner: Id.optional(), ...sharing });
export type EmailTemplateChanges = z.infer<typeof EmailTemplateChanges>;

export const EmailTemplateSummary = EmailTemplate.omit({ document: true, variables: true, versions: true });
export type EmailTemplateSummary = z.infer<typeof EmailTemplateSummary>;

/** A saved version with its body and variables. */
const TemplateVersionContent = TemplateVersion.extend({
  document: TemplateDocument,
  variables: z.array(TemplateVariable),
});
export type TemplateVersionContent = z.infer<typeof TemplateVersionContent>;

const VersionParams = IdParams.extend({ number: queryNumber(Version) });

const Addressee = z.strictObject({ name: z.string(), email: z.string() });
export type Addressee = z.infer<typeof Addressee>;

/** An earlier or queued message with the same template about the same deal. */
const EarlierMessage = z.strictObject({
  senderName: z.string(),
  /** Only for callers who may read that message in the history: the subject contains what its sender may see. */
  subject: z.string().optional(),
  createdAt: Instant,
  sentAt: Instant.nullable(),
  /** The mail server may have delivered it. */
  isUnconfirmed: z.boolean(),
});
export type EarlierMessage = z.infer<typeof EarlierMessage>;

/** A message as it would be sent now, and the problems that block sending. */
export const Preview = z.strictObject({
  templateName: z.string(),
  from: Addressee.nullable(),
  to: z.array(Addressee),
  cc: z.array(Addressee),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  /** Sentences for display; empty if the message can be sent. */
  problems: z.array(z.string()),
  /** Labels of optional variables without a value: the message has a blank in their place. */
  emptyVariables: z.array(z.string()),
  /** Set if the message repeats an earlier one: `again` confirms it. */
  earlier: EarlierMessage.nullable(),
});
export type Preview = z.infer<typeof Preview>;

const computed = ['_id', 'id', 'ownerName', 'createdAt', 'updatedAt', 'abilities', 'versions'];

export const emailTemplateRoutes = {
  'GET /email-templates': {
    summary: 'The templates that the caller may use',
    response: wholeList(EmailTemplateSummary),
  },
  'GET /email-templates/:id': { summary: 'One template', params: IdParams, response: EmailTemplate },
  'GET /email-templates/:id/versions': {
    summary: 'The versions of a template, newest first',
    params: IdParams,
    response: wholeList(TemplateVersion),
  },
  'GET /email-templates/:id/versions/:number': {
    summary: 'One version of a template with its whole content',
    params: VersionParams,
    response: TemplateVersionContent,
  },
  'POST /email-templates/:id/versions/:number/restore': {
    summary: 'Saves subject, body and variables of an earlier version as the newest one',
    params: VersionParams,
    body: z.strictObject({ version: Version.optional() }),
    response: EmailTemplate,
  },
  'POST /email-templates': {
    summary: 'Adds a template',
    body: NewEmailTemplate,
    computed,
    status: 201,
    response: EmailTemplate,
  },
  'PUT /email-templates/:id': {
    summary: 'Changes a template or activates a draft',
    params: IdParams,
    body: EmailTemplateChanges,
    computed,
    response: EmailTemplate,
  },
  'DELETE /email-templates/:id': {
    summary: 'Deletes a template that no dealership uses',
    params: IdParams,
    status: 204,
  },
  'PUT /email-templates/:id/sharing': {
    summary: 'Replaces the shares of a template',
    params: IdParams,
    body: sharingBody(ShareLevel),
    response: EmailTemplateSummary,
  },
  'POST /email-templates/bulk-share': {
    summary: 'Shares templates with more people, or at other levels: all of them or none',
    body: bulkShareBody('templateIds', ShareLevel),
    response: z.strictObject({ templates: z.array(EmailTemplateSummary) }),
  },
  'POST /email-templates/transfer-ownership': {
    summary: 'Transfers templates to another owner: all of them or none',
    body: TransferBody,
    response: wholeList(EmailTemplateSummary),
  },
} as const satisfies RouteTable;

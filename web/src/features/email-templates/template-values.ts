import type {
  EmailTemplate,
  EmailTemplateInput,
  TemplateDocument,
} from '@forecourt/contract/email-templates';
import { hashKey } from '@tanstack/react-query';
import { texts } from '../../texts/email-templates.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { fromEditor, toEditor } from './body/document-conversion.ts';

/** The values of the editor screen: all fields of a template that a user writes. */
export type TemplateValues = Omit<EmailTemplateInput, 'version' | 'status'> & {
  status: EmailTemplate['status'];
};

/** The body as the editor would hand it out again, so that opening a template changes nothing. */
const settled = (document: TemplateDocument): TemplateDocument => fromEditor(toEditor(document));

export const valuesOf = (template: EmailTemplate | undefined): TemplateValues => ({
  name: template?.name ?? '',
  subject: template?.subject ?? '',
  status: template?.status ?? 'draft',
  document: settled(template?.document ?? { blocks: [] }),
  variables: template?.variables ?? [],
});

/** A text that is the same for the same content; the server hands objects out with their fields in another order. */
const exactly = (content: unknown): string => hashKey([content]);

export const isSame = (a: TemplateValues, b: TemplateValues): boolean =>
  a.name === b.name &&
  a.subject === b.subject &&
  a.status === b.status &&
  exactly([a.document, a.variables]) === exactly([b.document, b.variables]);

export const comparedFields: readonly ComparedField<TemplateValues>[] = [
  { field: 'name', label: texts.name },
  { field: 'subject', label: texts.subject },
  { field: 'status', label: texts.status, words: ({ status }) => texts.statusLabels[status] },
  {
    field: 'document',
    label: texts.body,
    words: () => texts.conflictBody,
    exact: ({ document }) => exactly(document),
  },
  {
    field: 'variables',
    label: texts.variables,
    words: ({ variables }) => variables.map(({ label }) => label).join(', ') || texts.conflictNone,
    exact: ({ variables }) => exactly(variables),
  },
];

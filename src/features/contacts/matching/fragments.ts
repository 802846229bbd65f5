/** What {@link linkedDialogRow} takes, for statements that join `dialogs`. */
export const LINK_COLUMNS = `dialogs.peer_type, dialogs.match_status, dialogs.match_confidence, dialogs.crm_contact_id,
  dialogs.crm_contact_name, dialogs.match_trouble, dialogs.match_evidence, dialogs.namesakes,
  coalesce(dialogs.match_contact ->> 'company', '') as company`;

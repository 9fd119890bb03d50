/** Posts the end of a session to the parent window, as a JSON string and to one origin only. */
import { pageData } from '../pages/shared.page'
import type { ParentMessage } from './return'

const { message, targetOrigin } = pageData<{ message: ParentMessage; targetOrigin: string }>('end')
if (parent !== window) parent.postMessage(JSON.stringify(message), targetOrigin)

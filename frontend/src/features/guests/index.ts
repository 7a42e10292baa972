export { GuestBox } from './GuestBox'
export { GuestNotice } from './GuestNotice'

// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * An I2C adapter whose devices are models in a process: it reads a transaction from /dev/i2c-relay, and writes the answer
 * there. All numbers have two bytes in this machine's order, but for the result, which has four.
 *   transaction: number of messages; of each the address, the flags, the length, and the bytes if it writes
 *   answer: 0 or an error of the kernel's as a negative number; the bytes of each message that reads
 * Like the adapter of a Pi it lets only the last message of a transaction read. Nothing answers while nobody reads there.
 */
#include <linux/fs.h>
#include <linux/i2c.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define ROOM 16384
#define PATIENCE (10 * HZ)

enum { NOTHING, ASKED, TAKEN, ANSWERED };

static DEFINE_MUTEX(lock);
static DECLARE_WAIT_QUEUE_HEAD(changed);
static int state, openers;
static u8 question[ROOM], answer[ROOM];
static size_t asked, answered;

static void put(u16 number)
{
	memcpy(question + asked, &number, sizeof(number));
	asked += sizeof(number);
}

static int ask(const struct i2c_msg *msgs, int count)
{
	int i;

	asked = 0;
	put(count);
	for (i = 0; i < count; i++) {
		bool reads = msgs[i].flags & I2C_M_RD;

		if (reads && i != count - 1)
			return -EOPNOTSUPP;
		if (asked + 6 + msgs[i].len > ROOM)
			return -EMSGSIZE;
		put(msgs[i].addr);
		put(msgs[i].flags);
		put(msgs[i].len);
		if (!reads) {
			memcpy(question + asked, msgs[i].buf, msgs[i].len);
			asked += msgs[i].len;
		}
	}
	return 0;
}

static int understand(struct i2c_msg *msgs, int count)
{
	struct i2c_msg *last = &msgs[count - 1];
	s32 result;

	if (answered < sizeof(result))
		return -EIO;
	memcpy(&result, answer, sizeof(result));
	if (result)
		return result;
	if (last->flags & I2C_M_RD) {
		if (answered != sizeof(result) + last->len)
			return -EIO;
		memcpy(last->buf, answer + sizeof(result), last->len);
	}
	return count;
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *msgs, int count)
{
	int result;

	mutex_lock(&lock);
	result = openers ? ask(msgs, count) : -EREMOTEIO; /* as the Pi's own adapter says it */
	if (result) {
		mutex_unlock(&lock);
		return result;
	}
	state = ASKED;
	mutex_unlock(&lock);
	wake_up_all(&changed);
	wait_event_timeout(changed, READ_ONCE(state) == ANSWERED, PATIENCE);
	mutex_lock(&lock);
	result = state == ANSWERED ? understand(msgs, count) : -ETIMEDOUT;
	state = NOTHING;
	mutex_unlock(&lock);
	return result;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = transfer,
	.functionality = functionality,
};

static struct i2c_adapter adapter = {
	.owner = THIS_MODULE,
	.name = "relay",
	.algo = &algorithm,
};

static int open_relay(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	openers++;
	mutex_unlock(&lock);
	return 0;
}

static int close_relay(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	openers--;
	mutex_unlock(&lock);
	return 0;
}

static ssize_t read_question(struct file *file, char __user *to, size_t count, loff_t *at)
{
	ssize_t result;

	if (wait_event_interruptible(changed, READ_ONCE(state) == ASKED))
		return -ERESTARTSYS;
	mutex_lock(&lock);
	result = state == ASKED && count >= asked ? asked : -EINVAL;
	if (result > 0 && copy_to_user(to, question, asked))
		result = -EFAULT;
	if (result > 0)
		state = TAKEN;
	mutex_unlock(&lock);
	return result;
}

static ssize_t write_answer(struct file *file, const char __user *from, size_t count, loff_t *at)
{
	ssize_t result = count;

	mutex_lock(&lock);
	if (state != TAKEN || count > ROOM)
		result = -EINVAL;
	else if (copy_from_user(answer, from, count))
		result = -EFAULT;
	if (result > 0) {
		answered = count;
		state = ANSWERED;
	}
	mutex_unlock(&lock);
	wake_up_all(&changed);
	return result;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = open_relay,
	.release = close_relay,
	.read = read_question,
	.write = write_answer,
	.llseek = no_llseek,
};

static struct miscdevice relay = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "i2c-relay",
	.fops = &operations,
};

static int probe(struct platform_device *device)
{
	int failed;

	adapter.dev.parent = &device->dev;
	adapter.dev.of_node = device->dev.of_node; /* whose alias has the bus's number */
	failed = i2c_add_adapter(&adapter);
	return failed ? failed : misc_register(&relay);
}

static const struct of_device_id matches[] = {
	{ .compatible = "taptable,i2c-relay" },
	{ }
};

static struct platform_driver relay_driver = {
	.probe = probe,
	.driver = {
		.name = "i2c_relay",
		.of_match_table = matches,
		.suppress_bind_attrs = true,
	},
};
builtin_platform_driver(relay_driver);

// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * An I2C adapter at whose one address something answers that takes everything and has nothing to say. What is written to
 * it is read at /dev/i2c-recorder: a message is its length (2 bytes, little end first) and its bytes. The parameter
 * `answers` is that address; 0, and nobody answers.
 */
#include <linux/fs.h>
#include <linux/i2c.h>
#include <linux/kfifo.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/of.h>
#include <linux/platform_device.h>

#define KEPT_BYTES (1 << 20)

static unsigned int answers = 0x3c;
module_param(answers, uint, 0644);

static DEFINE_MUTEX(lock);
static struct kfifo recorded;

static int record(const struct i2c_msg *msg)
{
	__le16 length = cpu_to_le16(msg->len);

	if (kfifo_avail(&recorded) < sizeof(length) + msg->len)
		return -ENOSPC;
	kfifo_in(&recorded, &length, sizeof(length));
	kfifo_in(&recorded, msg->buf, msg->len);
	return 0;
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *msgs, int count)
{
	int i, failed = 0;

	mutex_lock(&lock);
	for (i = 0; i < count && !failed; i++) {
		if (msgs[i].addr != answers)
			failed = -EREMOTEIO; /* as the Pi's own adapter says it */
		else if (msgs[i].flags & I2C_M_RD)
			memset(msgs[i].buf, 0, msgs[i].len);
		else
			failed = record(&msgs[i]);
	}
	mutex_unlock(&lock);
	return failed ? failed : count;
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
	.name = "recorder",
	.algo = &algorithm,
};

static ssize_t read_recorded(struct file *file, char __user *to, size_t count, loff_t *at)
{
	unsigned int copied;
	int failed;

	mutex_lock(&lock);
	failed = kfifo_to_user(&recorded, to, count, &copied);
	mutex_unlock(&lock);
	return failed ? failed : copied;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.read = read_recorded,
	.llseek = no_llseek,
};

static struct miscdevice recorder = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "i2c-recorder",
	.fops = &operations,
};

static int probe(struct platform_device *device)
{
	int failed = kfifo_alloc(&recorded, KEPT_BYTES, GFP_KERNEL);

	if (failed)
		return failed;
	adapter.dev.parent = &device->dev;
	adapter.dev.of_node = device->dev.of_node; /* whose alias has the bus's number */
	failed = i2c_add_adapter(&adapter);
	return failed ? failed : misc_register(&recorder);
}

static const struct of_device_id matches[] = {
	{ .compatible = "taptable,i2c-recorder" },
	{ }
};

static struct platform_driver recorder_driver = {
	.probe = probe,
	.driver = {
		.name = "i2c_recorder",
		.of_match_table = matches,
		.suppress_bind_attrs = true,
	},
};
builtin_platform_driver(recorder_driver);
